import type { Db } from "@/lib/db/client";
import { env } from "@/lib/env";
import { fail } from "@/lib/errors";
import { lookUpInvitation } from "@/lib/invitations/look-up";

const INVITATION = /^\/invite\/([\w-]{20,100})$/;

/** Whether a path to return to is an invitation that this address may accept. */
export async function isInvited(db: Db, email: string, next: string | undefined): Promise<boolean> {
  const text = INVITATION.exec(next ?? "")?.[1];
  if (!text) return false;
  const invitation = await lookUpInvitation(text, db);
  return invitation?.state === "open" && (invitation.email === null || invitation.email === email);
}

/** Whether the page of the sign-up has a form: for everyone, or for somebody who comes with an invitation. */
export function signUpOpen(next: string): boolean {
  return env().SIGN_UP === "open" || INVITATION.test(next);
}

/** Throws FORBIDDEN for a newcomer whom nobody invited, where the operator keeps sign-up closed. */
export async function requireEntry(db: Db, email: string, next: string | undefined): Promise<void> {
  if (env().SIGN_UP === "open" || (await isInvited(db, email, next))) return;
  fail("FORBIDDEN", "Sign-up is closed here: ask for an invitation to a workspace");
}
