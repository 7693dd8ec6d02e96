import { database } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { type AppError, fail } from "@/lib/platform/errors";
import { parseJson } from "@/lib/platform/json";
import { endSession, resumeSession } from "@/lib/tenants/accounts/session";
import { signInWithPassword } from "@/lib/tenants/accounts/sign-in";
import { type RouteAnswer, toAppError } from "@/lib/web/http/answer";
import { MAX_JSON_BYTES, readBytes } from "@/lib/web/http/body";
import { clientAddress } from "@/lib/web/http/client-address";
import { type ApiExchange, route } from "@/lib/web/http/route";
import type { AuthHandlers } from "@/lib/web/session/auth-options";
import { authCookies } from "@/lib/web/session/cookies";
import { oauthProviders } from "@/lib/web/session/oauth-providers";
import { oauthReturnHandler } from "@/lib/web/session/oauth-return";
import { HOME, returnPath } from "@/lib/web/session/paths";
import { callerOf, startRouteSession } from "@/lib/web/session/route-session";
import { runAuth } from "@/lib/web/session/run-auth";

const ACTIONS = ["GET csrf", "GET session", "GET providers", "POST callback/credentials", "POST signout"];

/** next-auth redirects here when it cannot continue; the sign-in page replaces these pages. */
const TO_SIGN_IN = ["GET signin", "GET error"];

/** next-auth's codes for a failed OAuth sign-in. */
const OAUTH_FAILURES = ["OAuthSignin", "OAuthCallback", "Callback", "AccessDenied"];

/** next-auth's endpoints within the frame of every other route. */
export const authRoute = route({ GET: run, POST: run });

function isKnown(action: string): boolean {
  const offered = oauthProviders().flatMap(({ id }) => [`POST signin/${id}`, `GET callback/${id}`]);
  return [...ACTIONS, ...offered].includes(action);
}

function toSignIn(request: Request): RouteAnswer {
  const error = new URL(request.url).searchParams.get("error") ?? "";
  const reason = OAUTH_FAILURES.includes(error) ? "?error=oauth" : "";
  return { status: 302, headers: { Location: `${env().APP_URL}/sign-in${reason}` } };
}

async function run({ request, params }: ApiExchange): Promise<RouteAnswer> {
  const segments = [params.nextauth ?? ""].flat();
  const action = `${request.method} ${segments.join("/")}`;
  if (TO_SIGN_IN.includes(action)) return toSignIn(request);
  if (!isKnown(action)) fail("NOT_FOUND", "There is no such endpoint");
  const body = request.method === "POST" ? await readAuthFields(request) : {};
  const query = action.startsWith("GET callback/") ? readReturn(request) : {};
  let refusal: AppError | undefined;
  // Our cookies, in addition to next-auth's.
  const cookies: string[] = [];
  const authorize: AuthHandlers["authorize"] = async (email, password) => {
    try {
      const step = await signInWithPassword(database(), { email, password, ...(await callerOf(request)) });
      if ("signedIn" in step) return await startRouteSession(request, step.signedIn, cookies);
      // These endpoints have no second step, so an account with a second factor cannot use them.
      return fail("FORBIDDEN", "This account has two-factor sign-in. Sign in at /sign-in");
    } catch (error) {
      refusal = toAppError(error);
      return null;
    }
  };
  /** Remembers our own failures: next-auth deletes the cookie after any error, though the session may still be valid. */
  const remember = (error: unknown): never => {
    const failure = toAppError(error);
    if (failure.status >= 500) refusal = failure;
    throw error;
  };
  const onResume: AuthHandlers["onResume"] = (session) => resumeSession(database(), session).catch(remember);
  const onSignOut: AuthHandlers["onSignOut"] = ({ id: userId, sessionId }) => {
    const address = clientAddress(request);
    const end = { userId, sessionId, address, action: "session.signed_out" } as const;
    return endSession(database(), end).catch(remember);
  };
  const call = { method: request.method, segments, query, body, cookies: authCookies(request) };
  const answer = await runAuth(call, {
    authorize,
    onOAuthReturn: oauthReturnHandler(request, cookies),
    onResume,
    onSignOut,
  });
  if (refusal) throw refusal;
  return { ...answer, cookies: [...(answer.cookies ?? []), ...cookies] };
}

/** The fields that next-auth reads; it treats each as text without a check. */
const FIELDS = ["csrfToken", "email", "password", "json"];

/** The fields of a request to next-auth, sent as a form or as JSON. Throws 4xx for any other body. */
async function readAuthFields(request: Request): Promise<Record<string, string>> {
  const sent = await readSent(request);
  const texts = FIELDS.flatMap((name) => (typeof sent[name] === "string" ? [[name, sent[name]]] : []));
  const callbackUrl = sent.callbackUrl === undefined ? HOME : returnPath(sent.callbackUrl);
  return { ...Object.fromEntries(texts), callbackUrl };
}

/** The parameters with which a service redirects back to us. */
const RETURNED = ["code", "state", "error", "iss"];

/** The parameters of a return from a service, each at most once. */
function readReturn(request: Request): Record<string, string> {
  const { searchParams } = new URL(request.url);
  return Object.fromEntries(
    RETURNED.flatMap((name) => {
      const value = searchParams.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

async function readSent(request: Request): Promise<Record<string, unknown>> {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  const bytes = await readBytes(request, MAX_JSON_BYTES);
  if (type === "application/x-www-form-urlencoded") {
    return Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes)));
  }
  if (type !== "application/json") return fail("UNSUPPORTED_MEDIA_TYPE", "Send a form or JSON");
  const value = parseJson(bytes);
  if (typeof value !== "object" || value === null) fail("VALIDATION_ERROR", "Send a form or a JSON object");
  return value as Record<string, unknown>;
}
