import { uuidv7 } from "uuidv7";
import type { AuditAction } from "@/lib/contract/audit";
import type { Db } from "@/lib/platform/db/client";
import { auditLog } from "@/lib/platform/db/schema";
import type { Actor } from "@/lib/tenants/context";

/** One change of one subject. Holds no secret, key or code. */
interface AuditEntry {
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

/** Writes one line of the audit log. `db` is the transaction of the change, so neither is stored without the other. */
export async function recordAudit(db: Db, where: AuditContext, entry: AuditEntry): Promise<void> {
  await db.orm.insert(auditLog).values({
    ...entry,
    workspaceId: where.workspace.id,
    id: uuidv7(),
    appId: where.app?.id ?? null,
    ...actorOf(where.actor),
  });
}

function actorOf(actor: Actor) {
  if (actor.kind === "user") {
    return { actorKind: "user", actorId: actor.id, actorName: actor.name, address: actor.address } as const;
  }
  return { actorKind: "system", actorId: null, actorName: "Metacode", address: null } as const;
}
