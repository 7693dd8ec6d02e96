import type { NextApiRequest, NextApiResponse } from "next";
import NextAuth from "next-auth";
import { signIn } from "@/lib/accounts/sign-in";
import { database } from "@/lib/db/client";
import { env } from "@/lib/env";
import { type AppError, fail } from "@/lib/errors";
import { type Answer, toAppError } from "@/lib/http/answer";
import { clientAddress } from "@/lib/http/client-address";
import { type Exchange, route } from "@/lib/http/route";
import { AuthAnswer } from "@/lib/session/auth-answer";
import { readAuthFields } from "@/lib/session/auth-fields";
import { type Authorize, authOptions } from "@/lib/session/auth-options";
import { cookieName } from "@/lib/session/cookie";

const ACTIONS = ["GET csrf", "GET session", "GET providers", "POST callback/credentials", "POST signout"];

/** The library sends people here where it cannot go on; the sign-in page is where they can. */
const TO_SIGN_IN = ["GET signin", "GET error"];

/**
 * next-auth within the frame of every other route. It is handed nothing but what it needs, so that no odd header,
 * cookie or field can make it fail: bad callback addresses and unknown actions are 500 in the library itself.
 */
export const authRoute = route({ GET: run, POST: run });

async function run(exchange: Exchange): Promise<Answer> {
  const { request } = exchange;
  const segments = [exchange.params.nextauth ?? ""].flat();
  const action = `${request.method} ${segments.join("/")}`;
  if (TO_SIGN_IN.includes(action)) return { status: 302, headers: { Location: `${env().APP_URL}/sign-in` } };
  if (!ACTIONS.includes(action)) fail("NOT_FOUND", "No such endpoint");
  const body = request.method === "POST" ? await readAuthFields(request) : {};
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
  const given = { method: request.method, headers: {}, cookies: ourCookies(request), body };
  const answer = new AuthAnswer();
  await NextAuth(
    { ...given, query: { nextauth: segments } } as unknown as NextApiRequest,
    answer as unknown as NextApiResponse,
    authOptions(authorize),
  );
  if (refusal) throw refusal;
  return answer.toAnswer();
}

/** The session and the proof against forged forms, and no other cookie. */
function ourCookies(request: Request): Record<string, string> {
  const wanted = [cookieName("session"), cookieName("csrf")];
  const pairs = (request.headers.get("cookie") ?? "").split(/;\s*/).map((pair) => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at), decode(pair.slice(at + 1))] as const;
  });
  return Object.fromEntries(pairs.filter(([name]) => wanted.includes(name)));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
