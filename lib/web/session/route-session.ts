import { database } from "@/lib/platform/db/client";
import { createSession, type Session, type SessionClaims } from "@/lib/tenants/accounts/session";
import type { Caller } from "@/lib/tenants/accounts/throttle";
import { getUser } from "@/lib/tenants/accounts/user";
import { browserOf, clientAddress } from "@/lib/web/http/client-address";
import { cookieLine, readCookie } from "@/lib/web/session/cookies";
import { DEVICE_SECONDS, issueDeviceToken, readDeviceToken, readSessionToken } from "@/lib/web/session/token";

/** The browser of a request to a route, for limits and the security log. */
export async function callerOf(request: Request): Promise<Caller> {
  const device = await readDeviceToken(readCookie(request, "device"));
  return { address: clientAddress(request), device };
}

/** Starts a session for next-auth, which sets its cookie, and adds the cookie by which the browser is recognised. */
export async function startRouteSession(
  request: Request,
  account: SessionClaims,
  cookies: string[],
): Promise<Session> {
  const { email } = await getUser(database(), account.id);
  const device = await issueDeviceToken(email, account.sessionVersion);
  cookies.push(cookieLine("device", device, DEVICE_SECONDS));
  const earlier = await readSessionToken(readCookie(request, "session"));
  return createSession(database(), account, browserOf(request), earlier);
}
