import { redirect } from "next/navigation";
import type { SentEmail } from "@/lib/contract/form-state";
import { database } from "@/lib/platform/db/client";
import { emailDestination } from "@/lib/platform/email/mailbox";
import type { Caller } from "@/lib/tenants/accounts/throttle";
import { findTokenHolder, type TokenPurpose } from "@/lib/tenants/accounts/token";
import { type NewPassword, requestPasswordReset, resetPassword } from "@/lib/tenants/sign-up/reset-password";
import { type SignUp, signUp } from "@/lib/tenants/sign-up/sign-up";
import { type EmailVerification, verifyEmail } from "@/lib/tenants/sign-up/verify-email";
import { returnPath } from "@/lib/web/session/paths";
import { currentCaller, redirectAfter, startSession } from "@/lib/web/session/sign-in";

/** The visitor's own part of an input; the browser is added here, and `next` is checked. */
type VisitorInput<Input> = Omit<Input, keyof Caller | "next"> & { next?: string | undefined };

/** `signUp` for this visitor; returns where the link arrives. */
export async function startSignUp(input: VisitorInput<SignUp>): Promise<SentEmail> {
  await signUp(database(), { ...input, next: returnPath(input.next), ...(await currentCaller()) });
  return { address: input.email, place: await emailDestination(database()) };
}

/** `verifyEmail` for this visitor, then a session and the redirect to `next`. */
export async function finishSignUp(input: VisitorInput<EmailVerification>): Promise<never> {
  const next = returnPath(input.next);
  await startSession(await verifyEmail(database(), { ...input, next, ...(await currentCaller()) }));
  redirect(next);
}

/** `requestPasswordReset` for this visitor; returns where the link arrives. */
export async function requestReset(input: { email: string; next?: string | undefined }): Promise<SentEmail> {
  await requestPasswordReset(database(), { ...input, ...(await currentCaller()) });
  return { address: input.email, place: await emailDestination(database()) };
}

/** `resetPassword` for this visitor, then a session and `next`, or the page of the second factor. */
export async function finishReset(input: VisitorInput<NewPassword>): Promise<never> {
  const { address } = await currentCaller();
  return redirectAfter(await resetPassword(database(), { ...input, address }), returnPath(input.next));
}

/** The email address to which a link was sent; undefined when the link is invalid or expired. */
export async function findLinkEmail(purpose: TokenPurpose, token: string): Promise<string | undefined> {
  return (await findTokenHolder(database(), purpose, token))?.email;
}
