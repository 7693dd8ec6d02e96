import { decode, encode, type JWT } from "next-auth/jwt";
import { uuidv7 } from "uuidv7";
import { env } from "@/lib/platform/env";
import { SESSION_SECONDS, type Session, type SessionClaims } from "@/lib/tenants/accounts/session";
import type { Device } from "@/lib/tenants/accounts/throttle";

/** The secret that encrypts sessions; `npm start` creates one when the operator sets none. */
export function sessionSecret(): string {
  const secret = env().AUTH_SECRET;
  if (!secret) throw new Error("AUTH_SECRET is not set: start the service with `npm start`");
  return secret;
}

/** Seconds for entering a one-time password, or for an OAuth sign-in. */
export const STEP_SECONDS = 10 * 60;

/**
 * The purpose of a token. Each has its own key, so that a token of one is invalid for another; sessions are
 * encrypted with next-auth's key.
 */
type TokenUse = "session" | "step" | "connect" | "device";

const saltOf = (use: TokenUse) => (use === "session" ? "" : `metacode ${use}`);

/** The value of a session's cookie, encrypted. */
export function issueSessionToken(session: Session): Promise<string> {
  return issueToken(session, "session");
}

/** The value of the cookie of a sign-in or connection under way, encrypted. */
export function issueStepToken(account: SessionClaims, use: "step" | "connect"): Promise<string> {
  return issueToken({ id: account.id, sessionVersion: account.sessionVersion }, use);
}

function issueToken({ id, ...rest }: SessionClaims, use: TokenUse): Promise<string> {
  const token = { sub: id, ...rest };
  const maxAge = use === "session" ? SESSION_SECONDS : STEP_SECONDS;
  return encode({ token, secret: sessionSecret(), maxAge, salt: saltOf(use) });
}

/** The session of a cookie; undefined as in {@link readStepToken}. Only `resumeSession` knows whether it has ended. */
export async function readSessionToken(value: string | undefined): Promise<Session | undefined> {
  const { sessionId, ...claims } = (await readToken(value, "session")) ?? {};
  return isComplete(claims) && typeof sessionId === "string" ? { ...claims, sessionId } : undefined;
}

/** The claims of a cookie; undefined for one that is forged, damaged, expired or meant for another use. */
export async function readStepToken(
  value: string | undefined,
  use: "step" | "connect",
): Promise<SessionClaims | undefined> {
  const { sessionId: _, ...claims } = (await readToken(value, use)) ?? {};
  return isComplete(claims) ? claims : undefined;
}

/** Seconds for which a browser stays familiar to the account that signed in from it, unless all its sessions end. */
export const DEVICE_SECONDS = 180 * 24 * 60 * 60;

/** The value of the cookie by which a browser is recognised at the next sign-in with the same address, encrypted. */
export function issueDeviceToken(email: string, sessionVersion: number): Promise<string> {
  const token = { email, sessionVersion, deviceId: uuidv7() };
  return encode({ token, secret: sessionSecret(), maxAge: DEVICE_SECONDS, salt: saltOf("device") });
}

/** The browser of a cookie; undefined as in {@link readStepToken}. */
export async function readDeviceToken(value: string | undefined): Promise<Device | undefined> {
  const { email, deviceId, sessionVersion } = (await decrypt(value, "device")) ?? {};
  if (typeof email !== "string" || typeof deviceId !== "string") return undefined;
  return typeof sessionVersion === "number" ? { id: deviceId, email, sessionVersion } : undefined;
}

type TokenContent = { [Field in keyof Session]?: unknown };

function isComplete(claims: TokenContent): claims is SessionClaims {
  return typeof claims.id === "string" && typeof claims.sessionVersion === "number";
}

async function readToken(value: string | undefined, use: TokenUse): Promise<TokenContent | undefined> {
  const token = await decrypt(value, use);
  return token && { id: token.sub, sessionVersion: token.sessionVersion, sessionId: token.sessionId };
}

/** The content of a token; undefined for one that is forged, damaged, expired or meant for another use. */
async function decrypt(value: string | undefined, use: TokenUse): Promise<JWT | undefined> {
  if (!value) return undefined;
  const read = decode({ token: value, secret: sessionSecret(), salt: saltOf(use) });
  return (await read.catch(() => undefined)) ?? undefined;
}
