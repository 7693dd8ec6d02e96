import { and, eq, inArray } from "drizzle-orm";
import type { AppSettings } from "@/lib/contract/app";
import type { Platform } from "@/lib/contract/fields";
import { keysOf, pick } from "@/lib/contract/pick";
import { apps, campaignPlatforms, campaigns } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { appSubject } from "@/lib/tenants/apps/app";
import { forgetApp } from "@/lib/tenants/apps/forget";
import { changesOf, refuseUndoing } from "@/lib/tenants/audit/changes";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";

const STORE_IDS = [
  ["appleAppId", "ios"],
  ["androidPackage", "android"],
] as const;

/**
 * Updates an app's settings; the audit log records the fields that differ. Other machines follow within 5 seconds.
 * Throws NOT_FOUND, CONFLICT, VALIDATION_ERROR for removing the store id of a platform on which a campaign runs.
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
    for (const [field, platform] of STORE_IDS) {
      if (after[field] === null && (await hasCampaignOn({ ...ctx, db }, platform)))
        fail("VALIDATION_ERROR", "A campaign runs on this platform. End it before you remove the store id", {
          field,
        });
    }
    await db.orm.update(apps).set(after).where(mine);
    await recordAudit(db, ctx, { action: "app.changed", ...appSubject(ctx.app), before, after });
  });
  await forgetApp(ctx.app.id);
}

async function hasCampaignOn({ app, db }: Context, platform: Platform): Promise<boolean> {
  const running = and(eq(campaigns.appId, app.id), inArray(campaigns.status, ["active", "paused"]));
  const same = and(
    eq(campaigns.appId, campaignPlatforms.appId),
    eq(campaigns.id, campaignPlatforms.campaignId),
  );
  const [row] = await db.orm
    .select({ id: campaigns.id })
    .from(campaigns)
    .innerJoin(campaignPlatforms, and(same, eq(campaignPlatforms.platform, platform)))
    .where(running)
    .limit(1);
  return row !== undefined;
}
