import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { type CampaignRulesInput, NEW_CAMPAIGN } from "@/lib/contract/campaign";
import { CAMPAIGN_RULES, PLATFORM_RULES } from "@/lib/contract/campaign-rules";
import { database } from "@/lib/platform/db/client";
import { apps, auditLog, campaignPlatforms, campaigns } from "@/lib/platform/db/schema";
import { createTwin } from "@/lib/program/sandbox/create-twin";
import { appRef } from "@/lib/tenants/apps/app";
import { fieldsOf, sendNewCampaign, updateCampaign } from "@/lib/testing/campaigns";
import { useService } from "@/lib/testing/service";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";
import { duplicateCampaign } from "./create";
import { getCampaign, listCampaigns } from "./read";

useService();

/** Two imaginary rules, added to the list, the table and the database. */
vi.mock("@/lib/contract/campaign-rules", async (original) => {
  const real = await original<typeof import("@/lib/contract/campaign-rules")>();
  const { z } = await import("zod");
  const { wholeField } = await import("@/lib/contract/fields");
  return {
    CAMPAIGN_RULES: { ...real.CAMPAIGN_RULES, bonusDays: wholeField("bonusDays", 0, 9).default(0) },
    PLATFORM_RULES: { ...real.PLATFORM_RULES, motto: z.string().nullable().default(null) },
  };
});

beforeAll(async () => {
  const imaginary = pgTable("campaigns", { bonusDays: integer("bonus_days") });
  Object.assign(getTableColumns(campaigns), getTableColumns(imaginary));
  const imaginaryPlatforms = pgTable("campaign_platforms", { motto: text("motto") });
  Object.assign(getTableColumns(campaignPlatforms), getTableColumns(imaginaryPlatforms));
  await database().orm.execute(sql`alter table campaigns add column bonus_days int not null default 0`);
  await database().orm.execute(sql`alter table campaign_platforms add column motto text`);
});

const DAY = new Date("2099-01-01T00:00:00.000Z");

const RULES = {
  name: "Everything",
  startsAt: DAY,
  endsAt: new Date(DAY.getTime() + 86_400_000),
  safetyMarginHours: 7,
  confirmOn: "paid",
  confirmAnyRenewal: true,
  rewardsOn: "referrer",
  holdDays: 14,
  refuseReciprocal: true,
  codeBudget: 500,
  rewardBudget: 50,
  bonusDays: 5,
} as const;

const platformRulesFor = ({ pools }: Tenant) => ({
  threshold: 4,
  refereePoolId: pools.ios.referee,
  rewardPoolId: pools.ios.reward,
  instructions: "Tap Redeem",
  rewardCap: 6,
  motto: "Together",
});

const rulesFor = (tenant: Tenant): CampaignRulesInput => ({
  ...RULES,
  platforms: { ios: platformRulesFor(tenant) },
});

/** Rules as the audit log names them. */
const auditedFor = (tenant: Tenant): Record<string, unknown> => ({
  ...RULES,
  startsAt: RULES.startsAt.toISOString(),
  endsAt: RULES.endsAt.toISOString(),
  ...Object.fromEntries(
    Object.entries(platformRulesFor(tenant)).map(([rule, value]) => [`ios.${rule}`, value]),
  ),
});

const create = (tenant: Tenant) =>
  sendNewCampaign(tenant.ctx, { ...fieldsOf(rulesFor(tenant)), type: "referral" });

async function auditOf({ ctx }: Tenant, action: string) {
  const entries = await ctx.db.orm
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.appId, ctx.app.id), eq(auditLog.action, action)));
  expect(entries).toHaveLength(1);
  return entries[0];
}

describe("every rule of a campaign, an imaginary one of tomorrow included,", () => {
  test("has a value here that is not its default", async () => {
    const tenant = await makeTenant();
    expect(Object.keys(RULES).sort()).toEqual(Object.keys(CAMPAIGN_RULES).sort());
    expect(Object.keys(platformRulesFor(tenant)).sort()).toEqual(Object.keys(PLATFORM_RULES).sort());
    for (const [rule, value] of Object.entries(NEW_CAMPAIGN)) {
      if (rule in RULES) expect(RULES[rule as keyof typeof RULES], rule).not.toEqual(value);
    }
  });

  test("is stored as the form sent it, and audited", async () => {
    const tenant = await makeTenant();
    const { id } = await create(tenant);
    const { platforms, ...stored } = await getCampaign(tenant.ctx, id);
    expect(stored).toMatchObject(RULES);
    expect(platforms).toEqual([expect.objectContaining(platformRulesFor(tenant))]);
    const entry = await auditOf(tenant, "campaign.created");
    expect(entry?.after).toEqual({ type: "referral", ...auditedFor(tenant) });
  });

  test("shows in the audit log when it is updated", async () => {
    const tenant = await makeTenant();
    await updateCampaign(tenant.ctx, tenant.campaignId, rulesFor(tenant), 1);
    const entry = await auditOf(tenant, "campaign.changed");
    // The tenant's campaign begins with these two pools.
    const { "ios.refereePoolId": _, "ios.rewardPoolId": __, ...changed } = auditedFor(tenant);
    expect(entry?.after).toEqual(expect.objectContaining(changed));
    expect(Object.keys(entry?.before ?? {})).toEqual(expect.arrayContaining(Object.keys(changed)));
  });

  test("is copied to a duplicate, but for name and dates", async () => {
    const tenant = await makeTenant();
    const { id } = await create(tenant);
    const copy = await getCampaign(tenant.ctx, (await duplicateCampaign(tenant.ctx, id)).id);
    expect(copy).toMatchObject({ ...RULES, name: "Everything (copy)", startsAt: null, endsAt: null });
    expect(copy.platforms).toEqual([expect.objectContaining(platformRulesFor(tenant))]);
  });

  test("is copied from a campaign whose stored name has a mark of order, without the mark", async () => {
    const { ctx, campaignId } = await makeTenant();
    const own = and(eq(campaigns.appId, ctx.app.id), eq(campaigns.id, campaignId));
    await ctx.db.orm.update(campaigns).set({ name: "Spring\u202e2030" }).where(own);
    const { id } = await duplicateCampaign(ctx, campaignId);
    expect((await getCampaign(ctx, id)).name).toBe("Spring2030 (copy)");
    const twin = eq(campaigns.appId, (await createTwin(ctx)).id);
    const copies = await ctx.db.orm.select().from(campaigns).where(twin);
    expect(copies.map(({ name }) => name)).toContain("Spring2030");
  });

  test("is copied to the sandbox twin, but for the pools", async () => {
    const tenant = await makeTenant();
    const { ctx } = tenant;
    await create(tenant);
    const { id } = await createTwin(ctx);
    const [app] = await ctx.db.orm.select().from(apps).where(eq(apps.id, id));
    if (!app) throw new Error("no twin");
    const [copy] = await listCampaigns({ ...ctx, app: appRef(app) }).then((all) =>
      all.filter(({ name }) => name === RULES.name),
    );
    expect(copy).toMatchObject(RULES);
    const pools = { refereePoolId: expect.any(String), rewardPoolId: expect.any(String) };
    expect(copy?.platforms).toEqual([expect.objectContaining({ ...platformRulesFor(tenant), ...pools })]);
    expect(copy?.platforms[0]?.refereePoolId).not.toBe(tenant.pools.ios.referee);
  });
});
