import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import type { Db } from "@/lib/platform/db/client";
import { apps } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { createCampaign } from "@/lib/program/campaigns/create";
import { activateCampaign } from "@/lib/program/campaigns/lifecycle";
import { type Campaign, listCampaigns } from "@/lib/program/campaigns/read";
import { rulesOf } from "@/lib/program/campaigns/rules";
import { createSamplePools, SAMPLE_CODES, type SamplePools } from "@/lib/program/codes/sample-codes";
import { appRef, appSubject } from "@/lib/tenants/apps/app";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";

/**
 * Creates the sandbox twin of a live app: the same identity and rules except the cap per referrer, its campaigns that have
 * not ended, and pools of random codes. Throws CONFLICT if the app has a twin or is a sandbox itself.
 */
export async function createTwin(ctx: Context): Promise<{ id: string }> {
  if (ctx.app.sandbox) fail("CONFLICT", "This app is a sandbox itself");
  const twin = await copyApp(ctx);
  const pools = await createSamplePools(twin, SAMPLE_CODES);
  const campaigns = (await listCampaigns(ctx)).filter((campaign) => !isOver(campaign));
  for (const campaign of campaigns) await copyCampaign(twin, campaign, pools);
  return { id: twin.app.id };
}

/** Whether a campaign has ended, or is past its end and will be ended by the next round; a draft never ends by date. */
const isOver = ({ status, endsAt }: Campaign): boolean =>
  status === "ended" || (status !== "draft" && endsAt !== null && endsAt <= new Date());

/** The lock on the live app's row lets one of several simultaneous calls win. */
async function copyApp(ctx: Context): Promise<Context> {
  const live = eq(apps.id, ctx.app.id);
  return ctx.db.transaction(async (db) => {
    const [app] = await db.orm.select().from(apps).where(live).for("update");
    if (!app) return fail("NOT_FOUND", "There is no such app");
    if (await exists(db, app.twinId)) fail("CONFLICT", "This app already has a sandbox");
    const name = `${[...app.name].slice(0, 70).join("")} sandbox`;
    const row = {
      ...app,
      id: uuidv7(),
      name,
      sandbox: true,
      twinId: app.id,
      // Codes of a sandbox are worth nothing.
      referrerDailyCap: null,
      iconHash: null,
      landingDomain: null,
      landingDomainVerifiedAt: null,
      landingDomainLostAt: null,
      hasErased: false,
    };
    const [twin] = await db.orm
      .insert(apps)
      .values({ ...row, createdAt: new Date() })
      .returning();
    if (!twin) throw new Error("the sandbox was not created");
    await db.orm.update(apps).set({ twinId: twin.id }).where(live);
    await recordAudit(db, ctx, { action: "app.twin_created", ...appSubject(twin) });
    return { ...ctx, app: appRef(twin) };
  });
}

async function exists(db: Db, twinId: string | null): Promise<boolean> {
  if (twinId === null) return false;
  const [twin] = await db.orm.select().from(apps).where(eq(apps.id, twinId));
  return twin !== undefined && twin.deletedAt === null;
}

/** Copies all rules of a campaign except its pools, which are replaced by the twin's own. */
async function copyCampaign(twin: Context, campaign: Campaign, pools: SamplePools): Promise<void> {
  const platforms = campaign.platforms.map((rule) => ({
    ...rule,
    refereePoolId: pools[`referee_${rule.platform}`],
    rewardPoolId: pools[`reward_${rule.platform}`],
  }));
  const { id } = await createCampaign(twin, rulesOf({ ...campaign, platforms }));
  if (campaign.status === "active") await activateCampaign(twin, id);
}
