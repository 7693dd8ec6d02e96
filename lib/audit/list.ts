import { and, eq, gte, ilike, inArray, like, lt, or, type SQL } from "drizzle-orm";
import type { WorkspaceContext } from "@/lib/context";
import type { AuditFilters, AuditLine } from "@/lib/contract/audit";
import { apps, auditLog } from "@/lib/db/schema";
import { newestFirst, walkPage } from "@/lib/db/walk";
import { idFrom } from "@/lib/maintenance/chunks";
import type { Paged } from "@/lib/page";
import { diff } from "./diff";

type Entry = typeof auditLog.$inferSelect;

const DAY = 86_400_000;

/** The audit log of the workspace, newest first; `size` rows, looking at a bounded number of entries. */
export async function listAudit(
  ctx: WorkspaceContext,
  filters: AuditFilters,
  size = 50,
): Promise<Paged<AuditLine>> {
  const { data, nextCursor } = await walkPage(ctx.db, auditLog, {
    ...newestFirst(auditLog.id),
    within: reach(ctx, filters),
    filter: wanted(filters),
    cursor: filters.cursor,
    size,
  });
  return { data: await toLines(ctx, data), nextCursor };
}

/** What the primary key alone bounds: the workspace and, ids being in order of time, the days. */
function reach({ workspace }: WorkspaceContext, { from, to }: AuditFilters): SQL | undefined {
  return and(
    eq(auditLog.workspaceId, workspace.id),
    from === undefined ? undefined : gte(auditLog.id, idFrom(new Date(from))),
    to === undefined ? undefined : lt(auditLog.id, idFrom(new Date(Date.parse(to) + DAY))),
  );
}

function wanted({ q, noun, app }: AuditFilters): SQL | undefined {
  const { actorName, subjectName, subjectId, action, address, appId } = auditLog;
  const text = q === undefined ? undefined : `%${literal(q)}%`;
  return and(
    text === undefined
      ? undefined
      : or(...[actorName, subjectName, subjectId, action, address].map((column) => ilike(column, text))),
    noun === undefined ? undefined : like(action, `${literal(noun)}.%`),
    app === undefined ? undefined : eq(appId, app),
  );
}

/** Text that LIKE takes for itself. */
const literal = (text: string) => text.replace(/[\\%_]/g, "\\$&");

async function toLines(ctx: WorkspaceContext, entries: Entry[]): Promise<AuditLine[]> {
  const names = await appNames(
    ctx,
    entries.flatMap(({ appId }) => appId ?? []),
  );
  return entries.map((entry) => ({
    id: entry.id,
    at: entry.createdAt,
    action: entry.action,
    actor: entry.actorName,
    address: entry.address,
    subject: { kind: entry.subject, id: entry.subjectId, name: entry.subjectName },
    app: appOf(entry.appId, names),
    changes: diff(entry.before, entry.after),
  }));
}

async function appNames({ db, workspace }: WorkspaceContext, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.orm
    .select({ id: apps.id, name: apps.name })
    .from(apps)
    .where(and(eq(apps.workspaceId, workspace.id), inArray(apps.id, [...new Set(ids)])));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function appOf(id: string | null, names: Map<string, string>): AuditLine["app"] {
  return id === null ? null : { id, name: names.get(id) ?? "A deleted app" };
}
