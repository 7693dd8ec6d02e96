import { and, eq, gt, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { DAY_MS } from "@/lib/contract/format";
import type { Db } from "@/lib/platform/db/client";
import { apps, rounds } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { appSubject } from "@/lib/tenants/apps/app";
import { forgetApp } from "@/lib/tenants/apps/forget";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context, WorkspaceContext } from "@/lib/tenants/context";
import { lockWorkspaceShared } from "@/lib/tenants/workspaces/lock";

/** Days during which a deleted app can be restored; after them its rows are erased. */
export const GRACE_DAYS = 7;

/**
 * Deletes an app: its keys, links, provider addresses and pages stop working at once. Nothing else is changed, so
 * {@link restoreApp} brings everything back but a domain that another app has taken.
 */
export async function deleteApp(ctx: Context): Promise<void> {
  await ctx.db.transaction(async (db) => {
    const [row] = await db.orm
      .update(apps)
      .set({ deletedAt: sql`now()` })
      .where(and(eq(apps.id, ctx.app.id), isNull(apps.deletedAt)))
      .returning({ id: apps.id });
    if (!row) fail("NOT_FOUND", "There is no such app");
    await recordAudit(db, ctx, { action: "app.deleted", ...appSubject(ctx.app) });
  });
  await forgetApp(ctx.app.id);
}

// By the clock that set the time of the deletion and ends the grace period: the clock of a process may be wrong by days.
const deletedIn = (workspaceIds: readonly string[]) =>
  and(
    inArray(apps.workspaceId, [...workspaceIds]),
    isNotNull(apps.deletedAt),
    gt(apps.deletedAt, sql`now() - make_interval(hours => ${24 * GRACE_DAYS})`),
  );

/** Restores a deleted app within {@link GRACE_DAYS}. Throws NOT_FOUND after them, and for a deleted workspace. */
export async function restoreApp(ctx: WorkspaceContext, appId: string): Promise<void> {
  await ctx.db.transaction(async (db) => {
    await lockWorkspaceShared(db, ctx.workspace.id);
    const deleted = and(deletedIn([ctx.workspace.id]), eq(apps.id, appId));
    const [app] = await db.orm.select().from(apps).where(deleted).for("update");
    if (!app) return fail("NOT_FOUND", "There is no such deleted app");
    await db.orm.update(apps).set({ deletedAt: null }).where(deleted);
    // No redeem found them meanwhile, so codes stay set aside for 48 hours more. A round frees those that expire too soon.
    await db.orm.execute(sql`
      update referees_in_line set reserved_until = now()
       where app_id = ${appId} and reserved_until > ${app.deletedAt}::timestamptz`);
    await db.orm.execute(sql`
      update referees_in_line l set reserved_until = now() + interval '48 hours'
        from campaigns k, codes c, batches b
       where l.app_id = ${appId} and l.reserved_until > ${app.deletedAt}::timestamptz
         and k.app_id = ${appId} and k.id = l.campaign_id and c.app_id = ${appId} and c.id = l.code_id
         and b.app_id = ${appId} and b.id = c.batch_id
         and (b.expires_at is null or b.expires_at - now() > make_interval(hours => k.safety_margin_hours))`);
    // A process of the previous version ends the round of the weekly email where its app is deleted.
    await db.orm
      .update(rounds)
      .set({ dueAt: sql`coalesce(${rounds.dueAt}, now())` })
      .where(and(eq(rounds.appId, appId), eq(rounds.name, "weekly email")));
    await recordAudit(db, { ...ctx, app }, { action: "app.restored", ...appSubject(app) });
  });
  await forgetApp(appId);
}

export interface DeletedApp {
  id: string;
  name: string;
  workspaceId: string;
  /** The end of the grace period for restoring it. */
  goneAt: Date;
}

/** Deleted apps of these workspaces that can still be restored. */
export async function listDeletedApps(db: Db, workspaceIds: readonly string[]): Promise<DeletedApp[]> {
  const rows = await db.orm.select().from(apps).where(deletedIn(workspaceIds)).orderBy(apps.id);
  return rows.map(({ id, name, workspaceId, deletedAt }) => ({
    id,
    name,
    workspaceId,
    goneAt: new Date((deletedAt?.getTime() ?? 0) + GRACE_DAYS * DAY_MS),
  }));
}
