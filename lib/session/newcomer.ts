import { redirect } from "next/navigation";
import { requestReset } from "@/lib/accounts/request-reset";
import { resetPassword } from "@/lib/accounts/reset-password";
import { type SignUp, signUp } from "@/lib/accounts/sign-up";
import { peekToken, type TokenPurpose } from "@/lib/accounts/token";
import { type Verification, verifyEmail } from "@/lib/accounts/verify-email";
import { database } from "@/lib/db/client";
import { returnPath } from "@/lib/session/return-path";
import { keepSession, visitorAddress } from "@/lib/session/sign-in";

/** What somebody fills in who is not signed in; where they come from and where they may go on to is not theirs to say. */
type Given<Input> = Omit<Input, "address" | "next"> & { next?: string | undefined };

/** `signUp` for this visitor. */
export async function beginAccount(given: Given<SignUp>): Promise<void> {
  await signUp(database(), { ...given, next: returnPath(given.next), address: await visitorAddress() });
}

/** `verifyEmail` for this visitor, who is signed in by it and goes on. */
export async function finishAccount(given: Given<Verification>): Promise<never> {
  const next = returnPath(given.next);
  await keepSession(await verifyEmail(database(), { ...given, next, address: await visitorAddress() }));
  redirect(next);
}

/** `requestReset` for this visitor. */
export async function askReset(email: string): Promise<void> {
  await requestReset(database(), { email, address: await visitorAddress() });
}

/** `resetPassword` for this visitor, who goes on to sign in. */
export async function finishReset(given: { token: string; password: string }): Promise<never> {
  await resetPassword(database(), { ...given, address: await visitorAddress() });
  redirect("/sign-in?done=reset");
}

/** The address that a link of a mail was sent to, or undefined where it works no more. */
export async function addressOfLink(purpose: TokenPurpose, token: string): Promise<string | undefined> {
  return (await peekToken(database(), purpose, token))?.email;
}
