import { throttle } from "@/lib/accounts/throttle";
import type { WorkspaceContext } from "@/lib/context";
import type { Role } from "@/lib/contract/roles";
import type { Invited } from "@/lib/contract/team";
import { limits } from "@/lib/limits/limits";
import { pageAddress, sendMail } from "@/lib/mail/send";
import { INVITATION_DAYS } from "./token";

/**
 * Mails an invitation within the transaction that made it, or gives its link back where there is no address. Throws
 * RATE_LIMITED: what is in the mail is the inviter's, and so it is none to send to strangers without end.
 */
export async function send(
  { db, actor, workspace }: WorkspaceContext,
  { id, email, role }: { id: string; email: string | null; role: Role },
  token: string,
): Promise<Invited> {
  const url = pageAddress(`/invite/${token}`);
  if (email === null) return { id, email, url };
  throttle(await limits().invitation(actor.id, email));
  const lines = [
    `${actor.name} invites you to the workspace ${workspace.name} on Metacode, with the role ${role}.`,
    "",
    `Accept here within ${INVITATION_DAYS} days: ${url}`,
    "",
    `Only an account with the address ${email} can accept it. If you did not expect this, do nothing.`,
  ];
  const subject = `${actor.name} invites you to ${workspace.name}`;
  await sendMail(db, { to: email, subject, text: lines.join("\n") });
  return { id, email, url: null };
}
