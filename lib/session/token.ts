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

/** Seconds for typing a one-time password, or for signing in elsewhere. */
export const STEP_SECONDS = 10 * 60;

/**
 * What a token is for. Each purpose has a key of its own, so that none passes for another: a session is encrypted as
 * the sign-in library does it.
 */
type TokenUse = "session" | "step" | "connect";

const saltOf = (use: TokenUse) => (use === "session" ? "" : `metacode ${use}`);

/** A cookie's value: the account and its session version, encrypted. */
export function issueToken(account: SignedIn, use: TokenUse = "session"): Promise<string> {
  const token = { sub: account.id, sessionVersion: account.sessionVersion };
  const maxAge = use === "session" ? SESSION_SECONDS : STEP_SECONDS;
  return encode({ token, secret: sessionSecret(), maxAge, salt: saltOf(use) });
}

/** What a cookie says, or undefined for one that is forged, damaged, expired or for another use. */
export async function readToken(
  value: string | undefined,
  use: TokenUse = "session",
): Promise<SignedIn | undefined> {
  if (!value) return undefined;
  const given = { token: value, secret: sessionSecret(), salt: saltOf(use) };
  const token = await decode(given).catch(() => undefined);
  if (typeof token?.sub !== "string" || typeof token.sessionVersion !== "number") return undefined;
  return { id: token.sub, sessionVersion: token.sessionVersion };
}
