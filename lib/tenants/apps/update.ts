import { eq } from "drizzle-orm";
import type { AppSettings } from "@/lib/contract/app";
import { keysOf, pick } from "@/lib/contract/pick";
import { apps } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { appSubject } from "@/lib/tenants/apps/app";
import { forgetApp } from "@/lib/tenants/apps/forget";
import { changesOf, refuseUndoing } from "@/lib/tenants/audit/changes";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";

/**
 * Updates an app's settings; the audit log records the fields that differ. Other machines follow within 5 seconds.
 * Throws NOT_FOUND, CONFLICT.
 */
export async function updateApp(ctx: Context, settings: Partial<AppSettings>): Promise<void> {
  const mine = eq(apps.id, ctx.app.id);
  await ctx.db.transaction(async (db) => {
    const [app] = await db.orm.select().from(apps).where(mine).for("update");
    if (!app) return fail("NOT_FOUND", "There is no such app");
    const stored = pick(app, keysOf(settings));
    await refuseUndoing({ ...ctx, db }, ctx.app.id, stored, settings);
    const { before, after } = changesOf(stored, settings);
    if (Object.keys(after).length === 0) return;
    await db.orm.update(apps).set(after).where(mine);
    await recordAudit(db, ctx, { action: "app.changed", ...appSubject(ctx.app), before, after });
  });
  await forgetApp(ctx.app.id);
}
