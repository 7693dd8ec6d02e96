import { database } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import type { ErrorCode } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { resumeSession } from "@/lib/tenants/accounts/session";
import { connectOAuth, type OAuthIdentity } from "@/lib/tenants/oauth/connect";
import { signInWithOAuth } from "@/lib/tenants/oauth/sign-in";
import { toAppError } from "@/lib/web/http/answer";
import { clientAddress } from "@/lib/web/http/client-address";
import type { OAuthReturnHandler } from "@/lib/web/session/auth-options";
import { cookieLine, readCookie, returnPathOf } from "@/lib/web/session/cookies";
import { ACCOUNT_PAGE, codePage } from "@/lib/web/session/paths";
import { startRouteSession } from "@/lib/web/session/route-session";
import { issueStepToken, readSessionToken, readStepToken, STEP_SECONDS } from "@/lib/web/session/token";

/** The page's `error` parameter by error code: a code and no text, so that a link cannot put text on the page. */
const REASONS: Partial<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: "unverified",
  FORBIDDEN: "closed",
  CONFLICT: "taken",
};

/** Handles a return from GitHub or Google: signs in, asks for the second factor, or connects the account. */
export function oauthReturnHandler(request: Request, cookies: string[]): OAuthReturnHandler {
  return async (identity, user) => {
    const connecting = readCookie(request, "connect");
    try {
      if (connecting) return await finishConnect(request, connecting, identity, cookies);
      const { name, email } = { name: user.name ?? "", email: user.email ?? null };
      const next = returnPathOf(request);
      const arrival = { ...identity, name, email, address: clientAddress(request), next };
      const step = await signInWithOAuth(database(), arrival);
      if ("signedIn" in step) return await startRouteSession(request, step.signedIn, cookies);
      cookies.push(cookieLine("step", await issueStepToken(step.needsCode, "step"), STEP_SECONDS));
      return env().APP_URL + codePage(next);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.status >= 500) log().error({ err: error.cause ?? error }, "an OAuth sign-in failed");
      const page = connecting ? ACCOUNT_PAGE : "/sign-in";
      return `${env().APP_URL}${page}?error=${REASONS[error.code] ?? "oauth"}`;
    }
  };
}

/** Connects only within the session that requested it, because another user may have signed in meanwhile. */
async function finishConnect(
  request: Request,
  connecting: string,
  identity: OAuthIdentity,
  cookies: string[],
) {
  cookies.push(cookieLine("connect", "", 0));
  const requester = await readStepToken(connecting, "connect");
  const session = await readSessionToken(readCookie(request, "session"));
  const user = session && (await resumeSession(database(), session));
  const page = env().APP_URL + ACCOUNT_PAGE;
  if (!session || !user || requester?.id !== user.id) return page;
  await connectOAuth(database(), session, { ...identity, address: clientAddress(request) });
  return page;
}

/** Texts for the page's `error` parameter. */
const ERROR_TEXTS: Record<string, string> = {
  oauth: "That sign-in did not work. Try again.",
  unverified: "That service has no verified email address for you. Sign in with your password.",
  closed: "Sign-up is closed. Ask a workspace admin to invite you.",
  taken: "That account is already connected to another account here.",
};

/** The text for a page's `error` parameter; undefined for any other value. */
export function oauthErrorText(error: unknown): string | undefined {
  return typeof error === "string" && Object.hasOwn(ERROR_TEXTS, error) ? ERROR_TEXTS[error] : undefined;
}
