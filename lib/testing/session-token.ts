import { database } from "@/lib/platform/db/client";
import {
  createSession,
  DEMO_SESSION,
  DEMO_USER_ID,
  type SessionClaims,
} from "@/lib/tenants/accounts/session";
import { issueSessionToken } from "@/lib/web/session/token";

/** The cookie of a new session, as a sign-in or the opening of the demo would set it. */
export async function sessionToken(account: SessionClaims): Promise<string> {
  if (account.id === DEMO_USER_ID) return issueSessionToken(DEMO_SESSION);
  const browser = { address: "203.0.113.1", userAgent: "test" };
  return issueSessionToken(await createSession(database(), account, browser));
}
