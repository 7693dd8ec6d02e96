import { uuidv7 } from "uuidv7";
import type { Actor } from "@/lib/context";
import type { Db } from "@/lib/db/client";
import { auditLog } from "@/lib/db/schema";

/** What was changed, in the words of the audit log. Never a secret, a key or a code. */
interface AuditEntry {
  /** `noun.done`, such as `campaign.paused`. */
  action: string;
  subject: string;
  subjectId: string;
  subjectName?: string | undefined;
  before?: Record<string, unknown> | undefined;
  after?: Record<string, unknown> | undefined;
}

/** Who changes something where: a verb's context, of an app or of a workspace alone. */
export interface Audited {
  workspace: { id: string };
  app?: { id: string };
  actor: Actor;
}

/** Writes one line of the audit log. `db` is the transaction of the change itself, so that neither goes without the other. */
export async function recordAudit(db: Db, where: Audited, entry: AuditEntry): Promise<void> {
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
