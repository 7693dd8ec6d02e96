import { redirect } from "next/navigation";
import type { EmailDestination } from "@/lib/contract/form-state";
import { database } from "@/lib/platform/db/client";
import { emailDestination } from "@/lib/platform/email/mailbox";
import { findTokenHolder, type TokenPurpose } from "@/lib/tenants/accounts/token";
import { requestPasswordReset, resetPassword } from "@/lib/tenants/sign-up/reset-password";
import { type SignUp, signUp } from "@/lib/tenants/sign-up/sign-up";
import { type EmailVerification, verifyEmail } from "@/lib/tenants/sign-up/verify-email";
import { returnPath } from "@/lib/web/session/paths";
import { startSession, visitorAddress } from "@/lib/web/session/sign-in";

/** The visitor's own part of an input; the address is added here, and `next` is checked. */
type VisitorInput<Input> = Omit<Input, "address" | "next"> & { next?: string | undefined };

/** `signUp` for this visitor; returns where the link arrives. */
export async function startSignUp(input: VisitorInput<SignUp>): Promise<EmailDestination> {
  await signUp(database(), { ...input, next: returnPath(input.next), address: await visitorAddress() });
  return emailDestination(database());
}

/** `verifyEmail` for this visitor, then a session and the redirect to `next`. */
export async function finishSignUp(input: VisitorInput<EmailVerification>): Promise<never> {
  const next = returnPath(input.next);
  await startSession(await verifyEmail(database(), { ...input, next, address: await visitorAddress() }));
  redirect(next);
}

/** `requestPasswordReset` for this visitor; returns where the link arrives. */
export async function requestReset(email: string): Promise<EmailDestination> {
  await requestPasswordReset(database(), { email, address: await visitorAddress() });
  return emailDestination(database());
}

/** `resetPassword` for this visitor, then the redirect to the sign-in page. */
export async function finishReset(input: { token: string; password: string }): Promise<never> {
  await resetPassword(database(), { ...input, address: await visitorAddress() });
  redirect("/sign-in?done=reset");
}

/** The email address to which a link was sent; undefined when the link is invalid or expired. */
export async function findLinkEmail(purpose: TokenPurpose, token: string): Promise<string | undefined> {
  return (await findTokenHolder(database(), purpose, token))?.email;
}
