import { cookies, headers } from "next/headers";
import { signIn } from "@/lib/accounts/sign-in";
import { database } from "@/lib/db/client";
import { clientAddress } from "@/lib/http/client-address";
import { cookieName, cookieOptions, SESSION_SECONDS } from "@/lib/session/cookie";
import { issueToken } from "@/lib/session/token";

/** Checks the password and gives this browser a session. Throws UNAUTHORIZED and RATE_LIMITED. */
export async function beginSession(email: string, password: string): Promise<void> {
  const address = clientAddress({ headers: await headers() });
  const account = await signIn(database(), { email, password, address });
  const options = { ...cookieOptions(), maxAge: SESSION_SECONDS };
  (await cookies()).set(cookieName("session"), await issueToken(account), options);
}

/** Takes the session from this browser. */
export async function endSession(): Promise<void> {
  (await cookies()).set(cookieName("session"), "", { ...cookieOptions(), maxAge: 0 });
}
