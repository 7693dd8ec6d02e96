import { eq } from "drizzle-orm";
import { campaigns, pools, providerConnections } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { importCodes } from "@/lib/program/codes/import";
import { randomCodeFile, SAMPLE_CODES } from "@/lib/program/codes/sample-codes";
import { deleteAppRows } from "@/lib/program/retention/purge-apps";
import { freeFormerSlugs } from "@/lib/program/retention/sweep-slugs";
import { appSubject } from "@/lib/tenants/apps/app";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";

/** Tables that a reset leaves unchanged: the set-up of the sandbox. */
const SETUP = [
  "alert_channels",
  "api_keys",
  "api_key_uses",
  "app_icons",
  "app_store_keys",
  "campaigns",
  "campaign_platforms",
  "landing_texts",
  "code_requests",
  "landing_domains",
  "pools",
  "provider_connections",
  "refill_rules",
  "rounds",
  "store_offers",
  "webhook_endpoints",
  "weekly_emails",
];

/**
 * Deletes the referrers, referrals, rewards, events and figures of a sandbox, and fills every pool with new random codes.
 * May be repeated after a crash. Throws CONFLICT for a live app.
 */
export async function resetSandbox(ctx: Context): Promise<{ rows: number }> {
  if (!ctx.app.sandbox) fail("CONFLICT", "Only a sandbox can be reset");
  const { id } = ctx.app;
  await recordAudit(ctx.db, ctx, { action: "app.sandbox_reset", ...appSubject(ctx.app) });
  const rows = (await deleteAppRows(ctx.db, id, SETUP)) + (await freeFormerSlugs(ctx));
  await ctx.db.orm.update(campaigns).set({ spentCodes: 0, spentRewards: 0 }).where(eq(campaigns.appId, id));
  // The events accepted after a refusal are deleted, so the refusal would look like the newest delivery.
  const ofApp = eq(providerConnections.appId, id);
  await ctx.db.orm.update(providerConnections).set({ refusedAt: null }).where(ofApp);
  for (const pool of await ctx.db.orm.select().from(pools).where(eq(pools.appId, id))) {
    const source = randomCodeFile(pool.platform, SAMPLE_CODES);
    await importCodes(ctx, { poolId: pool.id, kind: "one_time", origin: "sandbox reset", source });
  }
  return { rows };
}
