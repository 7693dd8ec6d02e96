import { and, count, eq } from "drizzle-orm";
import { z } from "zod";
import { addMember } from "@/lib/accounts/add-member";
import { keepAccount } from "@/lib/accounts/keep-account";
import { recordAudit } from "@/lib/audit/record";
import type { UserActor } from "@/lib/context";
import { nameField } from "@/lib/contract/name";
import type { Db } from "@/lib/db/client";
import { memberships } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { createWorkspace } from "./create";

/** Workspaces that one person may own: each has a quota of its own. */
export const OWNED_MAX = 10;

export const openWorkspaceInput = z.object({ name: nameField("name") });

/** The workspace itself as the audit log names its subject. */
export function workspaceSubject({ id, name }: { id: string; name: string }) {
  return { subject: "workspace", subjectId: id, subjectName: name };
}

/**
 * Makes a workspace of which `actor` is the owner. Throws CONFLICT for a person who owns {@link OWNED_MAX} already, and
 * UNAUTHORIZED for one whose account is gone.
 */
export function openWorkspace(
  db: Db,
  actor: UserActor,
  { name }: z.output<typeof openWorkspaceInput>,
): Promise<{ id: string }> {
  return db.transaction(async (tx) => {
    await requireRoom(tx, actor.id);
    const { id, plan } = await createWorkspace(tx, { name });
    await addMember(tx, { workspaceId: id, userId: actor.id, role: "owner" });
    const entry = { action: "workspace.created", ...workspaceSubject({ id, name }), after: { name, plan } };
    await recordAudit(tx, { workspace: { id }, actor }, entry);
    return { id };
  });
}

async function requireRoom(db: Db, userId: string): Promise<void> {
  // Two requests at once wait for each other here.
  await keepAccount(db, userId);
  const [row] = await db.orm
    .select({ owned: count() })
    .from(memberships)
    .where(and(eq(memberships.userId, userId), eq(memberships.role, "owner")));
  if ((row?.owned ?? 0) < OWNED_MAX) return;
  fail("CONFLICT", `You own ${OWNED_MAX} workspaces already: delete one, or give one away first`);
}
