import type { NextApiRequest, NextApiResponse } from "next";
import NextAuth from "next-auth";
import { AuthAnswer } from "@/lib/session/auth-answer";
import { type Authorize, authOptions, type Welcome } from "@/lib/session/auth-options";

/** All that next-auth is told of a request. */
interface AuthCall {
  method: string;
  /** The path below `/api/auth`. */
  segments: string[];
  query?: Record<string, string>;
  body?: Record<string, string>;
  cookies: Record<string, string>;
}

const nobody = async () => {
  throw new Error("nobody signs in here");
};

/**
 * next-auth, handed nothing but what it needs, so that no odd header, cookie or field can make it fail: bad callback
 * addresses and unknown actions are 500 in the library itself.
 */
export async function runAuth(
  { method, segments, query = {}, body = {}, cookies }: AuthCall,
  authorize: Authorize = nobody,
  welcome: Welcome = nobody,
): Promise<AuthAnswer> {
  const answer = new AuthAnswer();
  const given = { method, headers: {}, cookies, body, query: { ...query, nextauth: segments } };
  const options = authOptions(authorize, welcome);
  await NextAuth(given as unknown as NextApiRequest, answer as unknown as NextApiResponse, options);
  return answer;
}
