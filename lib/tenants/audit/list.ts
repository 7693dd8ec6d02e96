import { and, eq, gte, ilike, inArray, like, lt, or, type SQL, sql } from "drizzle-orm";
import { AUDIT_SHOWN, type AuditFilters, type AuditLine } from "@/lib/contract/audit";
import { DAY_MS } from "@/lib/contract/format";
import { firstIdAt } from "@/lib/platform/db/index-ranges";
import { apps, auditLog, memberships, users } from "@/lib/platform/db/schema";
import { newestFirst, walkPage } from "@/lib/platform/db/walk";
import type { Paged } from "@/lib/platform/pagination";
import type { Context, WorkspaceContext } from "@/lib/tenants/context";
import { diff } from "./diff";

type Entry = typeof auditLog.$inferSelect;
type App = NonNullable<AuditLine["app"]>;

const DELETED = { name: "A deleted app", exists: false, sandbox: false };

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
  const actorIds = data.flatMap(({ actorId }) => actorId ?? []);
  const known = await appsOf(ctx, appIds);
  return { data: toLines(data, known, await memberEmails(ctx, actorIds)), nextCursor };
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
  const { actorId, actorName, subjectName, subjectId, action, address, appId } = auditLog;
  const text = q === undefined ? undefined : `%${literal(q)}%`;
  return and(
    text === undefined
      ? undefined
      : or(
          ...[actorName, subjectName, subjectId, action, address].map((column) => ilike(column, text)),
          ilike(sql`${actorId}::text`, text),
        ),
    noun === undefined ? undefined : like(action, `${literal(noun)}.%`),
    app === undefined ? undefined : eq(appId, app),
  );
}

/** Escapes the wildcards of LIKE. */
const literal = (text: string) => text.replace(/[\\%_]/g, "\\$&");

/** The entries with their apps and, if `emails` is set, the email addresses of the members, both by id. */
function toLines(entries: Entry[], known: Map<string, App>, emails?: Map<string, string>): AuditLine[] {
  return entries.map((entry) => ({
    id: entry.id,
    at: entry.createdAt,
    action: entry.action,
    actor: entry.actorName,
    member:
      emails && entry.actorId ? { id: entry.actorId, email: emails.get(entry.actorId) ?? null } : undefined,
    address: entry.address,
    subject: { kind: entry.subject, id: entry.subjectId, name: entry.subjectName },
    app: entry.appId === null ? null : (known.get(entry.appId) ?? { ...DELETED, id: entry.appId }),
    changes: diff(entry.before, entry.after),
  }));
}

async function appsOf({ db, workspace }: WorkspaceContext, ids: string[]): Promise<Map<string, App>> {
  if (ids.length === 0) return new Map();
  const exists = sql<boolean>`${apps.deletedAt} is null`;
  const rows = await db.orm
    .select({ id: apps.id, name: apps.name, sandbox: apps.sandbox, exists })
    .from(apps)
    .where(and(eq(apps.workspaceId, workspace.id), inArray(apps.id, [...new Set(ids)])));
  return new Map(rows.map((app) => [app.id, app]));
}

/** The email addresses of those users who are still in the team. */
async function memberEmails(
  { db, workspace }: WorkspaceContext,
  ids: string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.orm
    .select({ id: users.id, email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.workspaceId, workspace.id), inArray(users.id, [...new Set(ids)])));
  return new Map(rows.map(({ id, email }) => [id, email]));
}

/**
 * The newest entries about these subjects of the app, among the newest 10,000 of the workspace. Linking a provider's
 * event to a referral, or unlinking it, is about both. A cursor shows that there may be more.
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
  const { id, name, sandbox } = ctx.app;
  const lines = toLines(data, new Map([[id, { id, name, sandbox, exists: true }]]));
  return { data: lines.map((line) => ({ kind: "audit", ...line })), nextCursor };
}
