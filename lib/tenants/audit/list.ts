import { and, eq, gte, ilike, inArray, like, lt, or, type SQL, sql } from "drizzle-orm";
import type { AuditFilters, AuditLine } from "@/lib/contract/audit";
import { DAY_MS } from "@/lib/contract/format";
import { firstIdAt } from "@/lib/platform/db/index-ranges";
import { apps, auditLog } from "@/lib/platform/db/schema";
import { newestFirst, walkPage } from "@/lib/platform/db/walk";
import type { Paged } from "@/lib/platform/pagination";
import type { Context, WorkspaceContext } from "@/lib/tenants/context";
import { diff } from "./diff";

type Entry = typeof auditLog.$inferSelect;

/** The audit log of the workspace, newest first: `size` rows from a bounded number of entries. */
export async function listAudit(
  ctx: WorkspaceContext,
  filters: AuditFilters,
  size = 50,
): Promise<Paged<AuditLine>> {
  const { data, nextCursor } = await walkPage(ctx.db, auditLog, {
    ...newestFirst(auditLog.id),
    within: bounds(ctx, filters),
    filter: matching(filters),
    cursor: filters.cursor,
    size,
  });
  const appIds = data.flatMap(({ appId }) => appId ?? []);
  return { data: toLines(data, await appNames(ctx, appIds)), nextCursor };
}

/** The workspace and the days: ids are in order of time, so the primary key bounds both. */
function bounds({ workspace }: WorkspaceContext, { from, to }: AuditFilters): SQL | undefined {
  return and(
    eq(auditLog.workspaceId, workspace.id),
    from === undefined ? undefined : gte(auditLog.id, firstIdAt(new Date(from))),
    to === undefined ? undefined : lt(auditLog.id, firstIdAt(new Date(Date.parse(to) + DAY_MS))),
  );
}

function matching({ q, noun, app }: AuditFilters): SQL | undefined {
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

/** Escapes the wildcards of LIKE. */
const literal = (text: string) => text.replace(/[\\%_]/g, "\\$&");

function toLines(entries: Entry[], names: Map<string, string>): AuditLine[] {
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

/** Maximum entries of one subject in a timeline. */
export const AUDIT_SHOWN = 20;

/** The newest entry about one thing by which one of the fields changed, among the newest 10,000 of the workspace. */
export async function findLastChange(
  {
    db,
    workspace,
    app,
  }: Pick<Context, "db"> & { workspace: { id: string }; app?: { id: string } | undefined },
  subjectId: string,
  fields: readonly string[],
): Promise<Entry | undefined> {
  const { data } = await walkPage(db, auditLog, {
    ...newestFirst(auditLog.id),
    within: eq(auditLog.workspaceId, workspace.id),
    filter: and(eq(auditLog.subjectId, subjectId), app ? eq(auditLog.appId, app.id) : undefined),
    size: AUDIT_SHOWN,
  });
  return data.find(({ before, after }) => diff(before, after).some(({ field }) => fields.includes(field)));
}

/**
 * The newest entries about one thing of the app, or several, by id, among the newest 10,000 of the workspace. A provider's
 * event that was linked to a referral, or unlinked, is about both. A cursor shows that there may be more.
 */
export async function auditOfSubject(
  ctx: Context,
  ...subjectIds: readonly string[]
): Promise<Paged<AuditLine & { kind: "audit" }>> {
  const { data, nextCursor } = await walkPage(ctx.db, auditLog, {
    ...newestFirst(auditLog.id),
    within: eq(auditLog.workspaceId, ctx.workspace.id),
    filter: and(
      eq(auditLog.appId, ctx.app.id),
      or(
        inArray(auditLog.subjectId, [...subjectIds]),
        ...[auditLog.before, auditLog.after].map((change) =>
          inArray(sql`${change} ->> 'referralId'`, [...subjectIds]),
        ),
      ),
    ),
    size: AUDIT_SHOWN,
  });
  const lines = toLines(data, new Map([[ctx.app.id, ctx.app.name]]));
  return { data: lines.map((line) => ({ kind: "audit", ...line })), nextCursor };
}
