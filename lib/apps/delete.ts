import { and, eq, gt, inArray, isNotNull, isNull } from "drizzle-orm";
import { forgetApp } from "@/lib/apps/forget";
import { recordAudit } from "@/lib/audit/record";
import type { Context, WorkspaceContext } from "@/lib/context";
import type { Db } from "@/lib/db/client";
import { apps } from "@/lib/db/schema";
import { fail } from "@/lib/errors";

/** A deleted app can be brought back for this long; then its rows go. */
export const GRACE_DAYS = 7;

const DAY = 86_400_000;

/** Apps deleted before this moment are gone for good. */
export const graceEnd = (now = Date.now()): Date => new Date(now - GRACE_DAYS * DAY);

/**
 * Deletes an app: from now on its keys, links, provider addresses and pages are unknown. Nothing else is changed, so
 * that {@link restoreApp} brings everything back.
 */
export async function deleteApp(ctx: Context): Promise<void> {
  await ctx.db.transaction(async (db) => {
    const [row] = await db.orm
      .update(apps)
      .set({ deletedAt: new Date() })
      .where(and(eq(apps.id, ctx.app.id), isNull(apps.deletedAt)))
      .returning({ id: apps.id });
    if (!row) fail("NOT_FOUND", "There is no such app");
    const { id, name } = ctx.app;
    await recordAudit(db, ctx, { action: "app.deleted", subject: "app", subjectId: id, subjectName: name });
  });
  await forgetApp(ctx.app.id);
}

const deletedIn = (workspaceIds: readonly string[]) =>
  and(
    inArray(apps.workspaceId, [...workspaceIds]),
    isNotNull(apps.deletedAt),
    gt(apps.deletedAt, graceEnd()),
  );

/** Undoes {@link deleteApp} within its days of grace. Throws NOT_FOUND after them. */
export async function restoreApp(ctx: WorkspaceContext, appId: string): Promise<void> {
  await ctx.db.transaction(async (db) => {
    const [app] = await db.orm
      .update(apps)
      .set({ deletedAt: null })
      .where(and(deletedIn([ctx.workspace.id]), eq(apps.id, appId)))
      .returning({ id: apps.id, name: apps.name });
    if (!app) return fail("NOT_FOUND", "There is no such deleted app");
    const entry = { action: "app.restored", subject: "app", subjectId: app.id, subjectName: app.name };
    await recordAudit(db, { ...ctx, app }, entry);
  });
  await forgetApp(appId);
}

export interface DeletedApp {
  id: string;
  name: string;
  workspaceId: string;
  /** From then on it cannot be brought back. */
  goneAt: Date;
}

/** Apps of these workspaces that can still be brought back. */
export async function listDeletedApps(db: Db, workspaceIds: readonly string[]): Promise<DeletedApp[]> {
  const rows = await db.orm.select().from(apps).where(deletedIn(workspaceIds)).orderBy(apps.id);
  return rows.map(({ id, name, workspaceId, deletedAt }) => ({
    ...{ id, name, workspaceId },
    goneAt: new Date((deletedAt?.getTime() ?? 0) + GRACE_DAYS * DAY),
  }));
}
