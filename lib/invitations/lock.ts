import { and, eq } from "drizzle-orm";
import type { WorkspaceContext } from "@/lib/context";
import { invitations } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { pending } from "./pending";

export type Invitation = typeof invitations.$inferSelect;

/** An invitation of the workspace that still waits. Throws NOT_FOUND. */
export async function lockInvitation({ db, workspace }: WorkspaceContext, id: string): Promise<Invitation> {
  const [row] = await db.orm
    .select()
    .from(invitations)
    .where(and(pending({ workspace }), eq(invitations.id, id)))
    .for("update");
  return row ?? fail("NOT_FOUND", "This invitation was accepted or withdrawn already");
}

/** An invitation as the audit log names its subject. */
export function invitationSubject({ id, email }: Pick<Invitation, "id" | "email">) {
  return { subject: "invitation", subjectId: id, subjectName: email ?? "Link" };
}
