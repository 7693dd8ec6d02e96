import { and, count, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { z } from "zod";
import { nameField } from "@/lib/contract/fields";
import type { Plan } from "@/lib/contract/workspace";
import type { Db } from "@/lib/platform/db/client";
import { memberships, workspaces } from "@/lib/platform/db/schema";
import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors";
import { lockAccount } from "@/lib/tenants/accounts/user";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { UserActor } from "@/lib/tenants/context";
import { addMember } from "@/lib/tenants/workspaces/members";

interface NewWorkspace {
  id?: string;
  name: string;
  /** `DEFAULT_PLAN` where the operator names none. */
  plan?: Plan;
}

/** Inserts a workspace without members and without an audit entry. */
export async function insertWorkspace(db: Db, input: NewWorkspace): Promise<{ id: string; plan: Plan }> {
  const row = { id: input.id ?? uuidv7(), name: input.name, plan: input.plan ?? env().DEFAULT_PLAN };
  await db.orm.insert(workspaces).values(row);
  return { id: row.id, plan: row.plan };
}

/** Workspaces that a user may own: each has its own quota. */
export const OWNED_MAX = 10;

export const newWorkspaceInput = z.object({ name: nameField("name") });

/** The workspace as a subject of the audit log. */
export function workspaceSubject({ id, name }: { id: string; name: string }) {
  return { subject: "workspace", subjectId: id, subjectName: name };
}

/**
 * Creates a workspace owned by `actor`. Throws CONFLICT for an owner of {@link OWNED_MAX} workspaces, UNAUTHORIZED when
 * the account was deleted.
 */
export function createWorkspace(
  db: Db,
  actor: UserActor,
  { name }: z.output<typeof newWorkspaceInput>,
): Promise<{ id: string }> {
  return db.transaction(async (tx) => {
    await requireOwnable(tx, actor.id);
    const { id, plan } = await insertWorkspace(tx, { name });
    await addMember(tx, { workspaceId: id, userId: actor.id, role: "owner" });
    await recordAudit(
      tx,
      { workspace: { id }, actor },
      { action: "workspace.created", ...workspaceSubject({ id, name }), after: { name, plan } },
    );
    return { id };
  });
}

async function requireOwnable(db: Db, userId: string): Promise<void> {
  // Parallel requests of the user wait for each other here, so the count below is exact.
  await lockAccount(db, userId);
  const [row] = await db.orm
    .select({ owned: count() })
    .from(memberships)
    .where(and(eq(memberships.userId, userId), eq(memberships.role, "owner")));
  if ((row?.owned ?? 0) < OWNED_MAX) return;
  fail("CONFLICT", `You already own ${OWNED_MAX} workspaces. Delete one or transfer its ownership first`);
}
