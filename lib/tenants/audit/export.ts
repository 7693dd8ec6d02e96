import type { AuditFilters } from "@/lib/contract/audit";
import { allPages } from "@/lib/platform/pagination";
import type { WorkspaceContext } from "@/lib/tenants/context";
import { listAudit } from "./list";
import { recordAudit } from "./record";

/** Entries read at a time, to bound the memory. */
const CHUNK = 1_000;

/** Columns of the exported file, in order. */
export const AUDIT_COLUMNS = [
  "time",
  "actor",
  "actor_id",
  "actor_email",
  "address",
  "action",
  "subject",
  "subject_id",
  "subject_name",
  "app",
  "app_id",
  "changes",
] as const;

type AuditRow = Record<(typeof AUDIT_COLUMNS)[number], string | Date | null>;

/** Every matching entry, newest first, read chunk by chunk while the file is written; the first is the export's own. */
export async function exportAudit(
  ctx: WorkspaceContext,
  filters: AuditFilters,
): Promise<AsyncGenerator<AuditRow>> {
  const { id: subjectId, name: subjectName } = ctx.workspace;
  const subject = { subject: "workspace", subjectId, subjectName };
  await recordAudit(ctx.db, ctx, { action: "workspace.audit_exported", ...subject, after: { ...filters } });
  return rowsOf(ctx, filters);
}

async function* rowsOf(ctx: WorkspaceContext, filters: AuditFilters): AsyncGenerator<AuditRow> {
  const read = (cursor = filters.cursor) => listAudit(ctx, { ...filters, cursor }, CHUNK);
  for await (const { at, actor, member, address, action, subject, app, changes } of allPages(read)) {
    yield {
      time: at,
      actor,
      actor_id: member?.id ?? null,
      actor_email: member?.email ?? null,
      address: address ?? null,
      action,
      subject: subject.kind,
      subject_id: subject.id,
      subject_name: subject.name,
      app: app?.name ?? null,
      app_id: app?.id ?? null,
      changes: changes.length > 0 ? JSON.stringify(changes) : null,
    };
  }
}
