import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { recordAudit } from "@/lib/audit/record";
import { activateCampaign } from "@/lib/campaigns/activate";
import { createCampaign } from "@/lib/campaigns/create";
import { type Campaign, listCampaigns } from "@/lib/campaigns/list";
import type { Context } from "@/lib/context";
import { apps } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { fillPools, type SamplePools } from "@/lib/pools/fill";
import { appRef } from "./ref";

/** Made-up codes in each pool of a sandbox: enough to try everything, and no store knows them. */
export const TEST_CODES = 100;

/**
 * Makes the sandbox twin of a live app: the same identity and rules, its campaigns that have not ended, and pools of
 * made-up codes. Throws CONFLICT where it has one, or is one.
 */
export async function createTwin(ctx: Context): Promise<{ id: string }> {
  if (ctx.app.sandbox) fail("CONFLICT", "This app is a sandbox itself");
  const twin = await copyApp(ctx);
  const pools = await fillPools(twin, TEST_CODES);
  const campaigns = (await listCampaigns(ctx)).filter(({ status }) => status !== "ended");
  for (const campaign of campaigns) await copyCampaign(twin, campaign, pools);
  return { id: twin.app.id };
}

/** One of several at the same time wins: the live app's row is locked. */
async function copyApp(ctx: Context): Promise<Context> {
  const live = eq(apps.id, ctx.app.id);
  return ctx.db.transaction(async (db) => {
    const [app] = await db.orm.select().from(apps).where(live).for("update");
    if (!app) return fail("NOT_FOUND", "There is no such app");
    if (await exists(ctx, app.twinId)) fail("CONFLICT", "This app has a sandbox already");
    const name = `${app.name.slice(0, 70)} sandbox`;
    const row = {
      ...app,
      id: uuidv7(),
      name,
      sandbox: true,
      twinId: app.id,
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
    if (!twin) throw new Error("the sandbox was not made");
    await db.orm.update(apps).set({ twinId: twin.id }).where(live);
    const entry = { action: "app.twin_created", subject: "app", subjectId: twin.id, subjectName: twin.name };
    await recordAudit(db, ctx, entry);
    return { ...ctx, app: appRef(twin) };
  });
}

async function exists(ctx: Context, twinId: string | null): Promise<boolean> {
  if (twinId === null) return false;
  const [twin] = await ctx.db.orm.select().from(apps).where(eq(apps.id, twinId));
  return twin !== undefined && twin.deletedAt === null;
}

async function copyCampaign(twin: Context, campaign: Campaign, pools: SamplePools): Promise<void> {
  const platforms = Object.fromEntries(
    campaign.platforms.map(({ platform, threshold, instructions, rewardCap }) => [
      platform,
      {
        threshold,
        instructions,
        rewardCap,
        refereePoolId: pools[`referee_${platform}`],
        rewardPoolId: pools[`reward_${platform}`],
      },
    ]),
  );
  const { type, name, startsAt, endsAt, safetyMarginHours, confirmOn, confirmAnyRenewal } = campaign;
  const rules = { type, name, startsAt, endsAt, safetyMarginHours, confirmOn, confirmAnyRenewal, platforms };
  const { id } = await createCampaign(twin, rules);
  if (campaign.status === "active") await activateCampaign(twin, id);
}
