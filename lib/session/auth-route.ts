import { signIn } from "@/lib/accounts/sign-in";
import { database } from "@/lib/db/client";
import { env } from "@/lib/env";
import { type AppError, fail } from "@/lib/errors";
import { type Answer, toAppError } from "@/lib/http/answer";
import { clientAddress } from "@/lib/http/client-address";
import { type Exchange, route } from "@/lib/http/route";
import { authCookies } from "@/lib/session/auth-cookies";
import { readAuthFields, readReturn } from "@/lib/session/auth-fields";
import type { Authorize } from "@/lib/session/auth-options";
import { runAuth } from "@/lib/session/auth-run";
import { oauthProviders } from "@/lib/session/oauth-providers";
import { welcomeOf } from "@/lib/session/welcome";

const ACTIONS = ["GET csrf", "GET session", "GET providers", "POST callback/credentials", "POST signout"];

/** The library sends people here where it cannot go on; the sign-in page is where they can. */
const TO_SIGN_IN = ["GET signin", "GET error"];

/** What the library calls a sign-in elsewhere that came to nothing. */
const FAILED_ELSEWHERE = ["OAuthSignin", "OAuthCallback", "Callback", "AccessDenied"];

/** next-auth's endpoints within the frame of every other route. */
export const authRoute = route({ GET: run, POST: run });

function isKnown(action: string): boolean {
  const offered = oauthProviders().flatMap(({ id }) => [`POST signin/${id}`, `GET callback/${id}`]);
  return [...ACTIONS, ...offered].includes(action);
}

function toSignIn(request: Request): Answer {
  const error = new URL(request.url).searchParams.get("error") ?? "";
  const reason = FAILED_ELSEWHERE.includes(error) ? "?error=elsewhere" : "";
  return { status: 302, headers: { Location: `${env().APP_URL}/sign-in${reason}` } };
}

async function run({ request, params }: Exchange): Promise<Answer> {
  const segments = [params.nextauth ?? ""].flat();
  const action = `${request.method} ${segments.join("/")}`;
  if (TO_SIGN_IN.includes(action)) return toSignIn(request);
  if (!isKnown(action)) fail("NOT_FOUND", "No such endpoint");
  const body = request.method === "POST" ? await readAuthFields(request) : {};
  const query = action.startsWith("GET callback/") ? readReturn(request) : {};
  let refusal: AppError | undefined;
  const authorize: Authorize = async (email, password) => {
    try {
      const step = await signIn(database(), { email, password, address: clientAddress(request) });
      if ("signedIn" in step) return step.signedIn;
      // These endpoints ask for no second factor, so they are no way past it.
      return fail("FORBIDDEN", "This account signs in with a second factor, at /sign-in");
    } catch (error) {
      refusal = toAppError(error);
      return null;
    }
  };
  const cookies: string[] = [];
  const call = { method: request.method, segments, query, body, cookies: authCookies(request) };
  const answer = (await runAuth(call, authorize, welcomeOf(request, cookies))).toAnswer();
  if (refusal) throw refusal;
  return { ...answer, cookies: [...(answer.cookies ?? []), ...cookies] };
}
