import { sql } from "drizzle-orm";
import { type Role, type SentInvitation, workspacePhrase } from "@/lib/contract/workspace";
import { emailDestination } from "@/lib/platform/email/mailbox";
import { pageAddress, sendEmail } from "@/lib/platform/email/send";
import { limits } from "@/lib/platform/limits/limits";
import { throttle } from "@/lib/tenants/accounts/throttle";
import type { WorkspaceContext } from "@/lib/tenants/context";

/** Days during which an invitation can be accepted. */
const INVITATION_DAYS = 7;

export const INVITATION_S = INVITATION_DAYS * 86_400;

/** When an invitation sent now expires, by the clock of the database. */
export const INVITATION_END = sql`now() + make_interval(secs => ${INVITATION_S})`;

/**
 * Emails an invitation in the transaction that created it, or returns its link when it has no address. Throws
 * RATE_LIMITED: names in the email are chosen by the inviter, so strangers must not get it without limit.
 */
export async function sendInvitation(
  { db, actor, workspace }: WorkspaceContext,
  { id, email, role }: { id: string; email: string | null; role: Role },
  token: string,
): Promise<SentInvitation> {
  const url = pageAddress(`/invite/${token}`);
  if (email === null) return { id, email, url };
  throttle(await limits().invitation(actor.id, email));
  const lines = [
    `${actor.name} invites you to join ${workspacePhrase(workspace.name)} on Metacode, where teams run the referral programs of their apps.`,
    "",
    `Your role: ${role}.`,
    "",
    `Accept the invitation within ${INVITATION_DAYS} days, with or without an account: ${url}`,
    "",
    `Only an account with the address ${email} can accept it. If you did not expect this email, ignore it.`,
  ];
  const subject = `${actor.name} invites you to ${workspace.name}`;
  await sendEmail(db, { to: email, subject, text: lines.join("\n") });
  return { id, email, url: null, place: await emailDestination(db) };
}
