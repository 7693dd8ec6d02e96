import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { campaigns, pools, referrerProgress } from "@/lib/platform/db/schema";
import { conflictOf } from "@/lib/tenants/audit/changes";
import {
  copyCampaign,
  fieldsOf,
  sendCampaign,
  sendNewCampaign,
  updateCampaign,
} from "@/lib/testing/campaigns";
import { blockedBackends } from "@/lib/testing/database/locks";
import { useService } from "@/lib/testing/service";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";
import { getCampaign } from "./read";
import { auditedRules, rulesOf } from "./rules";

useService();

const IOS = { "platforms.ios.on": "on", "platforms.ios.threshold": "3" };
const NEW = { type: "referral", name: "Autumn", ...IOS };

const poolsOf = ({ ctx }: Tenant) => ctx.db.orm.select().from(pools).where(eq(pools.appId, ctx.app.id));

test("a form becomes a campaign with its new pools", async () => {
  const tenant = await makeTenant();
  const before = (await poolsOf(tenant)).length;
  const { id } = await sendNewCampaign(tenant.ctx, {
    ...NEW,
    startsAt: "2026-12-01T08:00:00.000Z",
    safetyMarginHours: "48",
    confirmOn: "paid",
    confirmAnyRenewal: "on",
    "platforms.ios.refereePoolId": tenant.pools.ios.referee,
    "platforms.ios.rewardPoolId": "new",
    "platforms.ios.newRewardPool": "Thanks",
    "platforms.ios.instructions": "Tap Redeem",
    "platforms.ios.rewardCap": "5",
    "platforms.android.threshold": "9",
  });
  const campaign = await getCampaign(tenant.ctx, id);
  expect(campaign).toMatchObject({
    type: "referral",
    name: "Autumn",
    status: "draft",
    confirmOn: "paid",
    confirmAnyRenewal: true,
    startsAt: new Date("2026-12-01T08:00:00Z"),
    endsAt: null,
    safetyMarginHours: 48,
  });
  const made = (await poolsOf(tenant)).find(({ name }) => name === "Thanks");
  expect(made).toMatchObject({ platform: "ios", use: "reward" });
  expect(campaign.platforms).toEqual([
    expect.objectContaining({
      platform: "ios",
      threshold: 3,
      rewardCap: 5,
      instructions: "Tap Redeem",
      refereePoolId: tenant.pools.ios.referee,
      rewardPoolId: made?.id,
    }),
  ]);
  expect(await poolsOf(tenant)).toHaveLength(before + 1);
});

test.each([
  ["the threshold", { "platforms.ios.threshold": "x" }, "platforms.ios.threshold"],
  ["a missing threshold", { "platforms.ios.threshold": "" }, "platforms.ios.threshold"],
  ["the cap", { "platforms.ios.rewardCap": "0.5" }, "platforms.ios.rewardCap"],
  ["the name", { name: " " }, "name"],
  ["a date without a zone", { endsAt: "2026-12-01T08:00" }, "endsAt"],
  ["the margin", { safetyMarginHours: "-1" }, "safetyMarginHours"],
  ["another's pool", { "platforms.ios.rewardPoolId": uuidv7() }, "platforms.ios.rewardPoolId"],
  ["a new pool without a name", { "platforms.ios.refereePoolId": "new" }, "platforms.ios.newRefereePool"],
  ["no platform", { "platforms.ios.on": "" }, "platforms"],
  ["the rule of confirmation", { confirmOn: "never" }, "confirmOn"],
])("%s is refused at its field, and no pool stays behind", async (_, wrong, field) => {
  const tenant = await makeTenant();
  const before = await poolsOf(tenant);
  const android = {
    "platforms.android.on": "on",
    "platforms.android.threshold": "1",
    "platforms.android.refereePoolId": "new",
    "platforms.android.newRefereePool": "Left behind",
  };
  const fields = field === "platforms" ? { ...NEW, ...wrong } : { ...NEW, ...android, ...wrong };
  await expect(sendNewCampaign(tenant.ctx, fields)).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    field,
  });
  expect(await poolsOf(tenant)).toEqual(before);
  expect(await tenant.ctx.db.orm.$count(campaigns, eq(campaigns.appId, tenant.ctx.app.id))).toBe(1);
});

test("created and started at once, replacing the active one, or not at all", async () => {
  const tenant = await makeTenant();
  const { ctx, campaignId } = tenant;
  await expect(sendNewCampaign(tenant.ctx, { ...NEW, start: "now" })).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("“Launch”"),
  });
  expect(await ctx.db.orm.$count(campaigns, eq(campaigns.appId, ctx.app.id))).toBe(1);
  const { id } = await sendNewCampaign(tenant.ctx, { ...NEW, start: "now", replacing: campaignId });
  expect((await getCampaign(ctx, id)).status).toBe("active");
  expect((await getCampaign(ctx, campaignId)).status).toBe("paused");
});

test("an update is saved once its rewards are agreed to; until then no pool is created either", async () => {
  const tenant = await makeTenant({ threshold: 5 });
  const { ctx, campaignId } = tenant;
  const row = { appId: ctx.app.id, campaignId, platform: "ios" as const, confirmed: 7, earned: 1 };
  await ctx.db.orm.insert(referrerProgress).values({ ...row, referrerId: uuidv7() });
  const before = await poolsOf(tenant);
  const fields = {
    ...IOS,
    name: "Launch",
    "platforms.ios.rewardPoolId": "new",
    "platforms.ios.newRewardPool": "More",
  };
  const refused = await sendCampaign(tenant.ctx, tenant.campaignId, fields);
  expect(refused).toMatchObject({ saved: false, due: [{ platform: "ios", rewards: 1, free: 0 }] });
  expect(await poolsOf(tenant)).toEqual(before);
  expect(await sendCampaign(tenant.ctx, tenant.campaignId, { ...fields, agreed: "1" })).toMatchObject({
    saved: true,
  });
  const [rule] = (await getCampaign(ctx, campaignId)).platforms;
  expect(rule).toMatchObject({ threshold: 3, grantAfter: null, granted: 1 });
  expect(await poolsOf(tenant)).toHaveLength(before.length + 1);
});

test("a form that was opened before another update is refused with both versions, and its new pool goes", async () => {
  const { ctx, campaignId, ...tenant } = await makeTenant();
  const rules = await getCampaign(ctx, campaignId);
  const form = { ...ctx, seen: JSON.stringify(auditedRules(rules)) };
  const renamed = { ...rulesOf(rules), name: "Bring a friend" };
  await updateCampaign(ctx, campaignId, renamed);
  const fields = {
    ...fieldsOf(rulesOf(rules)),
    "platforms.ios.threshold": "7",
    "platforms.ios.rewardPoolId": "new",
    "platforms.ios.newRewardPool": "More",
  };
  const before = await poolsOf({ ctx, campaignId, ...tenant });
  const refused = await sendCampaign(form, campaignId, fields).catch((error) => error);
  expect(conflictOf(refused)?.changes).toEqual([
    { field: "name", before: "Bring a friend", after: "Launch" },
  ]);
  expect(await poolsOf({ ctx, campaignId, ...tenant })).toEqual(before);
  const seen = conflictOf(refused)?.seen;
  expect(await sendCampaign({ ...ctx, seen }, campaignId, fields)).toMatchObject({ saved: true });
  expect(await getCampaign(ctx, campaignId)).toMatchObject({
    name: "Launch",
    platforms: [{ threshold: 7 }, {}],
  });
});

const WITH_POOL = ({ pools }: Tenant) => ({ ...IOS, "platforms.ios.refereePoolId": pools.ios.referee });

test.each([
  [
    "saved",
    (tenant: Tenant, id: string) =>
      sendCampaign(tenant.ctx, id, { ...WITH_POOL(tenant), name: "Next", codeBudget: "9" }),
  ],
  [
    "replaced by a new one",
    (tenant: Tenant, replacing: string) =>
      sendNewCampaign(tenant.ctx, { ...NEW, ...WITH_POOL(tenant), start: "now", replacing }),
  ],
])(
  "a campaign that is %s causes no deadlock with a redeem that locks the budgets of the app",
  async (_, act) => {
    const tenant = await makeTenant({ campaign: { type: "influencer", codeBudget: 9 } });
    const id = await copyCampaign(tenant, { codeBudget: 9 });
    const redeem = await database().pool.connect();
    const lock = (campaign: string) =>
      redeem.query("select 1 from campaigns where app_id = $1 and id = $2 for update", [
        tenant.ctx.app.id,
        campaign,
      ]);
    await redeem.query("begin");
    // In the order of lock_budgets.
    await lock(tenant.campaignId);
    const acted = act(tenant, id);
    await Promise.race([acted, blockedBackends()]);
    await lock(id);
    await redeem.query("commit");
    redeem.release();
    await acted;
  },
);
