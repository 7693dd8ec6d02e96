import { database } from "@/lib/platform/db/client";
import { createSession, type SessionClaims } from "@/lib/tenants/accounts/session";
import { issueSessionToken } from "@/lib/web/session/token";

/** The cookie of a new session, as a sign-in would set it. */
export async function sessionToken(account: SessionClaims): Promise<string> {
  const browser = { address: "203.0.113.1", userAgent: "test" };
  return issueSessionToken(await createSession(database(), account, browser));
}
