import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { database } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { limits } from "@/lib/platform/limits/limits";
import { DEMO_APP_ID } from "@/lib/program/demo/renew";
import {
  createSession,
  DEMO_SESSION,
  endSession,
  SESSION_SECONDS,
  type SessionClaims,
} from "@/lib/tenants/accounts/session";
import { type SignInResult, signInWithPassword } from "@/lib/tenants/accounts/sign-in";
import type { Caller } from "@/lib/tenants/accounts/throttle";
import { getUser } from "@/lib/tenants/accounts/user";
import { finishSignIn } from "@/lib/tenants/two-factor/verify";
import { browserOf, clientAddress } from "@/lib/web/http/client-address";
import { type CookieName, cookieName, cookieOptions } from "@/lib/web/session/cookies";
import { currentSession, findAccountUser, isDemoOpen } from "@/lib/web/session/current-user";
import { codePage, HOME, returnPath } from "@/lib/web/session/paths";
import {
  DEVICE_SECONDS,
  issueDeviceToken,
  issueSessionToken,
  issueStepToken,
  readDeviceToken,
  readStepToken,
  STEP_SECONDS,
} from "@/lib/web/session/token";

/** The browser of this request, for limits and the security log, and its session. */
export async function currentCaller(): Promise<Caller> {
  const device = await readDeviceToken((await cookies()).get(cookieName("device"))?.value);
  const sessionId = (await currentSession())?.sessionId;
  return { address: clientAddress({ headers: await headers() }), device, sessionId };
}

/** Starts this browser's session in place of an earlier one, and sets its cookie and the one by which it is recognised. */
export async function startSession(account: SessionClaims): Promise<void> {
  const browser = browserOf({ headers: await headers() });
  const session = await createSession(database(), account, browser, await currentSession());
  await setCookie("session", await issueSessionToken(session), SESSION_SECONDS);
  const { email } = await getUser(database(), account.id);
  await setCookie("device", await issueDeviceToken(email, account.sessionVersion), DEVICE_SECONDS);
}

/** Checks the password and redirects to `next`, or to the page of the second factor. Throws like `signInWithPassword`. */
export async function signInAndRedirect(email: string, password: string, next: unknown): Promise<never> {
  const step = await signInWithPassword(database(), { email, password, ...(await currentCaller()) });
  return redirectAfter(step, returnPath(next));
}

/** Starts the session and redirects to `next`, or to the page of the second factor. */
export async function redirectAfter(step: SignInResult, next: string): Promise<never> {
  if ("signedIn" in step) {
    await startSession(step.signedIn);
    redirect(next);
  }
  await setCookie("step", await issueStepToken(step.needsCode, "step"), STEP_SECONDS);
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
  const account = await finishSignIn(database(), pending, { code, ...(await currentCaller()) });
  await setCookie("step", "", 0);
  await startSession(account);
  redirect(returnPath(next));
}

/** Seconds for which a browser stays in the demo. */
const DEMO_SECONDS = 24 * 60 * 60;

/**
 * Opens the demo in this browser and redirects to its only app. A signed-in user keeps their own session, and
 * nothing is stored about the visitor.
 */
export async function enterDemo(): Promise<never> {
  if (await findAccountUser()) redirect(HOME);
  const open = await isDemoOpen().catch(() => false);
  if (!open) redirect(env().PUBLIC_DEMO === "on" ? "/?demo=soon" : "/");
  const { address } = await currentCaller();
  if (!(await limits().demo(address)).allowed) redirect("/?demo=later");
  await setCookie("session", await issueSessionToken(DEMO_SESSION), DEMO_SECONDS);
  redirect(`/dashboard/apps/${DEMO_APP_ID}`);
}

/** Ends this browser's session: a copy of its cookie is worthless afterwards. */
export async function signOut(): Promise<void> {
  const session = await currentSession();
  if (session) {
    const { id: userId, sessionId } = session;
    const { address } = await currentCaller();
    const own = { userId, sessionId, address, action: "session.signed_out" } as const;
    await endSession(database(), own).catch(ignoreEnded);
  }
  await setCookie("session", "", 0);
}

function ignoreEnded(error: unknown): void {
  if (!(error instanceof AppError)) throw error;
}

/** Sets a cookie for the given number of seconds; 0 deletes it. */
async function setCookie(name: CookieName, value: string, maxAge: number): Promise<void> {
  (await cookies()).set(cookieName(name), value, { ...cookieOptions(), maxAge });
}
