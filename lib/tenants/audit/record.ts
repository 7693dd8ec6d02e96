import { and, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import type { AuditAction } from "@/lib/contract/audit";
import { mayAct } from "@/lib/contract/workspace";
import type { Db } from "@/lib/platform/db/client";
import { auditLog, memberships } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import type { Actor } from "@/lib/tenants/context";

/** One change of one subject. Holds no secret, key or code. */
export interface AuditEntry {
  action: AuditAction;
  subject: string;
  subjectId: string;
  subjectName?: string | undefined;
  before?: Record<string, unknown> | undefined;
  after?: Record<string, unknown> | undefined;
}

/** The context of a change, for an app or for a workspace alone. */
interface AuditContext {
  workspace: { id: string };
  app?: { id: string };
  actor: Actor;
}

/**
 * Writes one line of the audit log. `db` is the transaction of the change, so neither is stored without the other. Throws
 * NOT_FOUND and FORBIDDEN for a change of an app by a user who has lost the membership or the role since the check.
 */
export async function recordAudit(db: Db, where: AuditContext, entry: AuditEntry): Promise<void> {
  if (where.app) await requireStillMember(db, where);
  await db.orm.insert(auditLog).values({
    ...entry,
    workspaceId: where.workspace.id,
    id: uuidv7(),
    appId: where.app?.id ?? null,
    ...actorOf(where.actor),
  });
}

/** The lock makes the end of a membership wait for the change. Changes of a team read the role under their own lock. */
async function requireStillMember(db: Db, { workspace, actor }: AuditContext): Promise<void> {
  if (actor.kind !== "user" || !actor.needed) return;
  const { workspaceId, userId, role } = memberships;
  const own = and(eq(workspaceId, workspace.id), eq(userId, actor.id));
  const [now] = await db.orm.select({ role }).from(memberships).where(own).for("share");
  if (!now) fail("NOT_FOUND", "There is no such app");
  if (!mayAct(now.role, actor.needed))
    fail("FORBIDDEN", `This needs the role ${actor.needed} in the workspace`);
}

function actorOf(actor: Actor) {
  if (actor.kind === "user") {
    return { actorKind: "user", actorId: actor.id, actorName: actor.name, address: actor.address } as const;
  }
  return { actorKind: "system", actorId: null, actorName: "Metacode", address: null } as const;
}
