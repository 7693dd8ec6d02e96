import { type Db, database } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors";
import { findWorkspaceInvitation } from "@/lib/tenants/invitations/invitation";
import { createWorkspace } from "@/lib/tenants/workspaces/create";

const INVITATION = /^\/invite\/([\w-]{20,100})$/;

/** The invitation at the path to continue at, while it can be accepted. */
export async function findOpenInvitation(next: string | undefined, db: Db = database()) {
  const token = INVITATION.exec(next ?? "")?.[1];
  const invitation = token && (await findWorkspaceInvitation(token, db));
  return invitation && invitation.state === "open" ? invitation : undefined;
}

/** Whether the path to continue at is an invitation that this address may accept. */
export async function isInvited(db: Db, email: string, next: string | undefined): Promise<boolean> {
  const invitation = await findOpenInvitation(next, db);
  return invitation !== undefined && (invitation.email === null || invitation.email === email);
}

/** The end of an emailed link that continues at `next`: another path would let strangers write into a user's email. */
export async function onwardQuery(db: Db, email: string, next: string | undefined): Promise<string> {
  return next && (await isInvited(db, email, next)) ? `?next=${encodeURIComponent(next)}` : "";
}

/** Whether the sign-up page has a form: for everyone, or for visitors with an invitation. */
export function isSignUpOpen(next: string): boolean {
  return env().SIGN_UP === "open" || INVITATION.test(next);
}

/** Throws FORBIDDEN for an address without an invitation while sign-up is closed. */
export async function requireSignUpAllowed(db: Db, email: string, next: string | undefined): Promise<void> {
  if (env().SIGN_UP === "open" || (await isInvited(db, email, next))) return;
  fail("FORBIDDEN", "Sign-up is closed. Ask a workspace admin to invite you");
}

/** Creates the first workspace of a new user, under a name that can be changed later. */
export async function createFirstWorkspace(
  db: Db,
  user: { id: string; name: string; address: string },
): Promise<void> {
  const { id, name, address } = user;
  const first = [...name].slice(0, 60).join("").trim();
  await createWorkspace(db, { kind: "user", id, name, address }, { name: `${first}'s workspace` });
}
