import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { database } from "@/lib/platform/db/client";
import { AppError } from "@/lib/platform/errors";
import {
  createSession,
  endSession,
  SESSION_SECONDS,
  type Session,
  type SessionClaims,
} from "@/lib/tenants/accounts/session";
import { type SignInResult, signInWithPassword } from "@/lib/tenants/accounts/sign-in";
import { finishSignIn } from "@/lib/tenants/two-factor/take-code";
import { browserOf, clientAddress } from "@/lib/web/http/client-address";
import { cookieName, cookieOptions } from "@/lib/web/session/cookies";
import { codePage, returnPath } from "@/lib/web/session/paths";
import {
  issueSessionToken,
  issueStepToken,
  readSessionToken,
  readStepToken,
  STEP_SECONDS,
} from "@/lib/web/session/token";

/** The client address of this request, for limits and the audit log. */
export async function visitorAddress(): Promise<string> {
  return clientAddress({ headers: await headers() });
}

/** Sets this browser's session cookie; replaces an earlier session. */
export async function startSession(account: SessionClaims): Promise<void> {
  const options = { ...cookieOptions(), maxAge: SESSION_SECONDS };
  const session = await createSession(database(), account, browserOf({ headers: await headers() }));
  (await cookies()).set(cookieName("session"), await issueSessionToken(session), options);
}

/** The content of this browser's session cookie; only `currentUser` checks whether the session is still valid. */
export async function currentSession(): Promise<Session | undefined> {
  return readSessionToken((await cookies()).get(cookieName("session"))?.value);
}

/** Checks the password and redirects to `next`, or to the page of the second factor. Throws like `signInWithPassword`. */
export async function signInAndRedirect(email: string, password: string, next: unknown): Promise<never> {
  const step = await signInWithPassword(database(), { email, password, address: await visitorAddress() });
  return redirectAfter(step, returnPath(next));
}

async function redirectAfter(step: SignInResult, next: string): Promise<never> {
  if ("signedIn" in step) {
    await startSession(step.signedIn);
    redirect(next);
  }
  const options = { ...cookieOptions(), maxAge: STEP_SECONDS };
  (await cookies()).set(cookieName("step"), await issueStepToken(step.needsCode, "step"), options);
  redirect(codePage(next));
}

/** The account whose password was checked in this browser and whose second factor is missing, or undefined. */
export async function findPendingSignIn(): Promise<SessionClaims | undefined> {
  return readStepToken((await cookies()).get(cookieName("step"))?.value, "step");
}

/** Checks the second factor and starts the session. Redirects to the sign-in page when the first step has expired. */
export async function finishSignInAndRedirect(code: string, next: unknown): Promise<never> {
  const pending = await findPendingSignIn();
  if (!pending) redirect(`/sign-in?next=${encodeURIComponent(returnPath(next))}`);
  const account = await finishSignIn(database(), pending, code);
  await deleteCookie("step");
  await startSession(account);
  redirect(returnPath(next));
}

/** Ends this browser's session: a copy of its cookie is worthless afterwards. */
export async function signOut(): Promise<void> {
  const session = await currentSession();
  if (session) await endSession(database(), session.id, session.sessionId).catch(ignoreEnded);
  await deleteCookie("session");
}

function ignoreEnded(error: unknown): void {
  if (!(error instanceof AppError)) throw error;
}

async function deleteCookie(name: "session" | "step"): Promise<void> {
  (await cookies()).set(cookieName(name), "", { ...cookieOptions(), maxAge: 0 });
}
