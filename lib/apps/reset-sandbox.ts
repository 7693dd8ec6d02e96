import { eq } from "drizzle-orm";
import { recordAudit } from "@/lib/audit/record";
import { importCodes } from "@/lib/codes/import";
import { randomCodes } from "@/lib/codes/random-codes";
import type { Context } from "@/lib/context";
import { pools } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { deleteAppRows } from "@/lib/maintenance/app-rows";
import { TEST_CODES } from "./create-twin";

/** What a sandbox is made of stays: everything that people did in it goes. */
const SETUP = [
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
  "store_offers",
  "webhook_endpoints",
];

/**
 * Empties a sandbox of referrers, referrals, rewards, events and figures, and fills every pool with new made-up codes.
 * Broken off, it is simply run again. Throws CONFLICT for a live app.
 */
export async function resetSandbox(ctx: Context): Promise<{ rows: number }> {
  if (!ctx.app.sandbox) fail("CONFLICT", "Only a sandbox can be reset");
  const { id, name } = ctx.app;
  await recordAudit(ctx.db, ctx, {
    action: "app.sandbox_reset",
    subject: "app",
    subjectId: id,
    subjectName: name,
  });
  const rows = await deleteAppRows(ctx.db, id, SETUP);
  for (const pool of await ctx.db.orm.select().from(pools).where(eq(pools.appId, id))) {
    const source = randomCodes(pool.platform, TEST_CODES);
    await importCodes(ctx, { poolId: pool.id, kind: "one_time", origin: "sandbox reset", source });
  }
  return { rows };
}
