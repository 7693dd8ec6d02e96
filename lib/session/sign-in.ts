import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { type FirstStep, type SignedIn, signIn } from "@/lib/accounts/sign-in";
import { database } from "@/lib/db/client";
import { clientAddress } from "@/lib/http/client-address";
import { cookieName, cookieOptions, SESSION_SECONDS } from "@/lib/session/cookie";
import { codePage } from "@/lib/session/pages";
import { returnPath } from "@/lib/session/return-path";
import { issueToken, readToken, STEP_SECONDS } from "@/lib/session/token";
import { finishSignIn } from "@/lib/two-factor/finish-sign-in";

/** Where the person of this request comes from, for limits and the audit log. */
export async function visitorAddress(): Promise<string> {
  return clientAddress({ headers: await headers() });
}

/** Gives this browser a session, in place of the one it may have. */
export async function keepSession(account: SignedIn): Promise<void> {
  const options = { ...cookieOptions(), maxAge: SESSION_SECONDS };
  (await cookies()).set(cookieName("session"), await issueToken(account), options);
}

/** The session of this browser as its cookie says; whether it still stands is `currentPerson`'s to say. */
export async function presentSession(): Promise<SignedIn | undefined> {
  return readToken((await cookies()).get(cookieName("session"))?.value);
}

/** Checks the password, and leads on: to the page wanted, or to that of the second factor. Throws what signing in does. */
export async function beginSession(email: string, password: string, next: unknown): Promise<never> {
  const step = await signIn(database(), { email, password, address: await visitorAddress() });
  return goOn(step, returnPath(next));
}

async function goOn(step: FirstStep, next: string): Promise<never> {
  if ("signedIn" in step) {
    await keepSession(step.signedIn);
    redirect(next);
  }
  const options = { ...cookieOptions(), maxAge: STEP_SECONDS };
  (await cookies()).set(cookieName("step"), await issueToken(step.owesCode, "step"), options);
  redirect(codePage(next));
}

/** Who has taken the first step of signing in with this browser and owes the second, or undefined. */
export async function findStep(): Promise<SignedIn | undefined> {
  return readToken((await cookies()).get(cookieName("step"))?.value, "step");
}

/** Takes the second factor and gives this browser its session. Begins anew where the first step was too long ago. */
export async function finishSession(code: string, next: unknown): Promise<never> {
  const owes = await findStep();
  if (!owes) redirect(`/sign-in?next=${encodeURIComponent(returnPath(next))}`);
  const account = await finishSignIn(database(), owes, code);
  await dropCookie("step");
  await keepSession(account);
  redirect(returnPath(next));
}

/** Takes the session from this browser. */
export async function endSession(): Promise<void> {
  await dropCookie("session");
}

async function dropCookie(name: "session" | "step"): Promise<void> {
  (await cookies()).set(cookieName(name), "", { ...cookieOptions(), maxAge: 0 });
}
