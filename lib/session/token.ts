import { decode, encode } from "next-auth/jwt";
import type { SignedIn } from "@/lib/accounts/sign-in";
import { env } from "@/lib/env";
import { SESSION_SECONDS } from "@/lib/session/cookie";

/** The secret that encrypts sessions; `npm start` makes one where the operator gives none. */
export function sessionSecret(): string {
  const secret = env().AUTH_SECRET;
  if (!secret) throw new Error("AUTH_SECRET is not set: start the service with `npm start`");
  return secret;
}

/** The session cookie's value: the account and its session version, encrypted. */
export function issueToken(account: SignedIn): Promise<string> {
  const token = { sub: account.id, sessionVersion: account.sessionVersion };
  return encode({ token, secret: sessionSecret(), maxAge: SESSION_SECONDS });
}

/** What a session cookie says, or undefined for a forged, damaged or expired one. */
export async function readToken(value: string | undefined): Promise<SignedIn | undefined> {
  if (!value) return undefined;
  const token = await decode({ token: value, secret: sessionSecret() }).catch(() => undefined);
  if (typeof token?.sub !== "string" || typeof token.sessionVersion !== "number") return undefined;
  return { id: token.sub, sessionVersion: token.sessionVersion };
}
