import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import type { Elsewhere } from "@/lib/accounts/elsewhere";
import type { SignedIn } from "@/lib/accounts/sign-in";
import { env } from "@/lib/env";
import { fail } from "@/lib/errors";
import { runAuth } from "@/lib/session/auth-run";
import { cookieName, cookieOptions } from "@/lib/session/cookie";
import { oauthProviders } from "@/lib/session/oauth-providers";
import { returnPath } from "@/lib/session/return-path";
import { issueToken, STEP_SECONDS } from "@/lib/session/token";

/**
 * Sends this browser to sign in elsewhere; it comes back to `next`. With `connect` the account there is connected to
 * the one that is signed in here. Throws NOT_FOUND for a service that is not set up.
 */
export async function goElsewhere(provider: Elsewhere, next: unknown, connect?: SignedIn): Promise<never> {
  if (!oauthProviders().some(({ id }) => id === provider))
    fail("NOT_FOUND", "This way to sign in is not set up");
  const jar = await cookies();
  // Left from an earlier try it would turn a sign-in into a connection.
  jar.set(cookieName("connect"), "", { ...cookieOptions(), maxAge: 0 });
  if (connect) {
    const options = { ...cookieOptions(), maxAge: STEP_SECONDS };
    jar.set(cookieName("connect"), await issueToken(connect, "connect"), options);
  }
  const { location, cookies: lines } = await startOf(provider, returnPath(next));
  for (const { name, value } of lines) jar.set(name, value, { ...cookieOptions(), maxAge: STEP_SECONDS });
  return redirect(location);
}

interface Cookie {
  name: string;
  value: string;
}

/** Asks next-auth for the address to go to, as a form of its own would, and keeps the checks it makes. */
async function startOf(provider: Elsewhere, next: string): Promise<{ location: string; cookies: Cookie[] }> {
  const proof = (await runAuth({ method: "GET", segments: ["csrf"], cookies: {} })).toAnswer();
  const csrf = (proof.cookies ?? []).map(parseLine);
  const { csrfToken } = proof.body as { csrfToken: string };
  const answer = await runAuth({
    method: "POST",
    segments: ["signin", provider],
    body: { csrfToken, callbackUrl: env().APP_URL + next },
    cookies: Object.fromEntries(csrf.map(({ name, value }) => [name, value])),
  });
  const { headers, cookies: lines } = answer.toAnswer();
  return { location: headers?.Location ?? "/sign-in", cookies: (lines ?? []).map(parseLine) };
}

function parseLine(line: string): Cookie {
  const [pair = ""] = line.split(";", 1);
  const at = pair.indexOf("=");
  return { name: pair.slice(0, at), value: decodeURIComponent(pair.slice(at + 1)) };
}
