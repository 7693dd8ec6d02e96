import { parseSetCookie } from "cookie";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors";
import type { SessionClaims } from "@/lib/tenants/accounts/session";
import type { OAuthProvider } from "@/lib/tenants/accounts/user";
import { cookieName, cookieOptions } from "@/lib/web/session/cookies";
import { oauthProviders } from "@/lib/web/session/oauth-providers";
import { returnPath } from "@/lib/web/session/paths";
import { runAuth } from "@/lib/web/session/run-auth";
import { issueStepToken, STEP_SECONDS } from "@/lib/web/session/token";

/**
 * Sends this browser to sign in at GitHub or Google, and then to `next`. With `connect`, the account there is connected to
 * the one that is signed in here. Throws NOT_FOUND for a service that is not set up.
 */
export async function startOAuthSignIn(
  provider: OAuthProvider,
  next: unknown,
  connect?: SessionClaims,
): Promise<never> {
  if (!oauthProviders().some(({ id }) => id === provider))
    fail("NOT_FOUND", "This sign-in method is not set up");
  const jar = await cookies();
  // A cookie left from an earlier attempt would turn a sign-in into a connection.
  jar.set(cookieName("connect"), "", { ...cookieOptions(), maxAge: 0 });
  if (connect) {
    const options = { ...cookieOptions(), maxAge: STEP_SECONDS };
    jar.set(cookieName("connect"), await issueStepToken(connect, "connect"), options);
  }
  const { location, cookies: checks } = await startOf(provider, returnPath(next));
  for (const [name, value] of Object.entries(checks)) {
    jar.set(name, value, { ...cookieOptions(), maxAge: STEP_SECONDS });
  }
  return redirect(location);
}

/** Gets the redirect address from next-auth as its own form would, with the cookies of its checks. */
async function startOf(
  provider: OAuthProvider,
  next: string,
): Promise<{ location: string; cookies: Record<string, string> }> {
  const proof = await runAuth({ method: "GET", segments: ["csrf"], cookies: {} });
  const { csrfToken } = proof.body as { csrfToken: string };
  const { headers, cookies } = await runAuth({
    method: "POST",
    segments: ["signin", provider],
    body: { csrfToken, callbackUrl: env().APP_URL + next },
    cookies: valuesOf(proof.cookies),
  });
  return { location: headers?.Location ?? "/sign-in", cookies: valuesOf(cookies) };
}

/** Values of `Set-Cookie` lines by the cookies' names. */
function valuesOf(lines: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => parseSetCookie(line)).map(({ name, value = "" }) => [name, value]),
  );
}
