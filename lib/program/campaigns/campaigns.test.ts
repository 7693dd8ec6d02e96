import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { apps, campaignPlatforms, campaigns, outbox } from "@/lib/platform/db/schema";
import { createPool, deletePool } from "@/lib/program/pools/pools";
import type { Context } from "@/lib/tenants/context";
import { updateCampaign } from "@/lib/testing/campaigns";
import { blockedBackends } from "@/lib/testing/database/locks";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { createCampaign } from "./create";
import { activateCampaign, endCampaign, pauseCampaign, resumeCampaign } from "./lifecycle";
import { listCampaigns } from "./read";

useService();

/** An app without a running campaign. */
async function freshApp(): Promise<Context> {
  const { ctx } = await makeTenant({ codes: 0, campaign: { status: "ended" } });
  await database().orm.delete(campaigns).where(eq(campaigns.appId, ctx.app.id));
  return ctx;
}

const RULES = { name: "Launch", platforms: { ios: { threshold: 3 } } };

const draft = (ctx: Context, name = "Launch", type: "referral" | "influencer" = "referral") =>
  createCampaign(ctx, { ...RULES, type, name }).then(({ id }) => id);

const statusOf = async (ctx: Context, id: string) => (await listCampaigns(ctx, id))[0]?.status;

const eventsOf = async (ctx: Context) =>
  (await database().orm.select({ type: outbox.type }).from(outbox).where(eq(outbox.appId, ctx.app.id)))
    .map(({ type }) => type)
    .filter((type) => type.startsWith("campaign."));

test.each([
  ["ios", "appleAppId"],
  ["android", "androidPackage"],
] as const)("a campaign on %s waits for the app's store id", async (platform, field) => {
  const ctx = await freshApp();
  await database()
    .orm.update(apps)
    .set({ [field]: null })
    .where(eq(apps.id, ctx.app.id));
  const rules = { type: "referral", name: "Launch", platforms: { [platform]: { threshold: 3 } } } as const;
  const { id } = await createCampaign(ctx, rules);
  await expect(activateCampaign(ctx, id)).rejects.toMatchObject({ code: "VALIDATION_ERROR", field });
  expect(await statusOf(ctx, id)).toBe("draft");
  await database()
    .orm.update(apps)
    .set({ [field]: "1234567890" })
    .where(eq(apps.id, ctx.app.id));
  await activateCampaign(ctx, id);
  expect(await statusOf(ctx, id)).toBe("active");
});

test("an active campaign gets no store whose id the app lacks, and a draft may", async () => {
  const ctx = await freshApp();
  await database().orm.update(apps).set({ appleAppId: null }).where(eq(apps.id, ctx.app.id));
  const android = { name: "Launch", platforms: { android: { threshold: 3 } } };
  const both = { name: "Launch", platforms: { ...android.platforms, ios: { threshold: 3 } } };
  const { id } = await createCampaign(ctx, { type: "referral", ...android });
  await updateCampaign(ctx, id, both);
  await updateCampaign(ctx, id, android);
  await activateCampaign(ctx, id);
  await expect(updateCampaign(ctx, id, both)).rejects.toMatchObject({ field: "appleAppId" });
  expect((await listCampaigns(ctx, id))[0]?.platforms).toHaveLength(1);
});

test("a draft becomes active, pauses, goes on and ends for good, and says so once each", async () => {
  const ctx = await freshApp();
  const id = await draft(ctx);
  await activateCampaign(ctx, id);
  const [started] = await listCampaigns(ctx, id);
  await pauseCampaign(ctx, id);
  await resumeCampaign(ctx, id);
  expect((await listCampaigns(ctx, id))[0]?.activatedAt).toEqual(started?.activatedAt);
  await endCampaign(ctx, id);
  expect(await statusOf(ctx, id)).toBe("ended");
  expect(await eventsOf(ctx)).toEqual(["campaign.activated", "campaign.ended"]);
});

test.each([
  ["pause a draft", [], pauseCampaign, "“Launch” is still a draft and cannot be paused"],
  ["resume a draft", [], resumeCampaign, "“Launch” is still a draft and cannot be resumed"],
  ["activate twice", [activateCampaign], activateCampaign, "“Launch” is active and cannot be activated"],
  [
    "activate after the end",
    [activateCampaign, endCampaign],
    activateCampaign,
    "“Launch” is ended and cannot be activated",
  ],
  [
    "resume after the end",
    [activateCampaign, endCampaign],
    resumeCampaign,
    "“Launch” is ended and cannot be resumed",
  ],
  ["end twice", [endCampaign], endCampaign, "“Launch” is ended and cannot be ended"],
])("refuses to %s", async (_name, before, act, message) => {
  const ctx = await freshApp();
  const id = await draft(ctx);
  for (const step of before) await step(ctx, id);
  const events = await eventsOf(ctx);
  await expect(act(ctx, id)).rejects.toMatchObject({ code: "CONFLICT", message });
  expect(await eventsOf(ctx)).toEqual(events);
});

test("of two referral campaigns, activated eight times in parallel, one is active", async () => {
  const ctx = await freshApp();
  const ids = [await draft(ctx, "One"), await draft(ctx, "Two")];
  const tries = Array.from({ length: 8 }, (_, index) => activateCampaign(ctx, ids[index % 2] ?? ""));
  const results = await Promise.allSettled(tries);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const result of results) {
    if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "CONFLICT" });
  }
  const active = (await listCampaigns(ctx)).filter(({ status }) => status === "active");
  expect(active).toHaveLength(1);
  expect(await eventsOf(ctx)).toEqual(["campaign.activated"]);
});

test("a second referral campaign is refused with the name of the active one; influencer campaigns are free", async () => {
  const ctx = await freshApp();
  await activateCampaign(ctx, await draft(ctx, "Autumn"));
  const second = await draft(ctx, "Winter");
  await expect(activateCampaign(ctx, second)).rejects.toMatchObject({
    code: "CONFLICT",
    message: "Only one referral campaign can be active: choose to pause “Autumn”, or end it first",
  });
  expect(await statusOf(ctx, second)).toBe("draft");
  await activateCampaign(ctx, await draft(ctx, "Stars", "influencer"));
  await activateCampaign(ctx, await draft(ctx, "More stars", "influencer"));
});

test("resuming loses to the campaign that became active meanwhile", async () => {
  const ctx = await freshApp();
  const first = await draft(ctx, "First");
  await activateCampaign(ctx, first);
  await pauseCampaign(ctx, first);
  await activateCampaign(ctx, await draft(ctx, "Second"));
  await expect(resumeCampaign(ctx, first)).rejects.toMatchObject({
    message: expect.stringContaining("“Second”"),
  });
  expect(await statusOf(ctx, first)).toBe("paused");
});

test("rules are replaced as a whole until the campaign has ended", async () => {
  const ctx = await freshApp();
  const { id: refereePoolId } = await createPool(ctx, { platform: "android", use: "referee", name: "Play" });
  const id = await draft(ctx);
  await activateCampaign(ctx, id);
  const endsAt = new Date("2099-01-01T00:00:00Z");
  const platforms = { android: { threshold: 7, refereePoolId, rewardCap: 2 } };
  await updateCampaign(ctx, id, { name: "Renamed", endsAt, platforms });
  const [campaign] = await listCampaigns(ctx, id);
  expect(campaign).toMatchObject({ name: "Renamed", endsAt, status: "active", type: "referral" });
  expect(campaign?.platforms).toEqual([
    expect.objectContaining({ platform: "android", threshold: 7, refereePoolId, rewardCap: 2 }),
  ]);
  await endCampaign(ctx, id);
  await expect(updateCampaign(ctx, id, RULES)).rejects.toMatchObject({ code: "CONFLICT" });
});

test.each([
  ["threshold 0", { platforms: { ios: { threshold: 0 } } }, "platforms.ios.threshold"],
  ["threshold 10,001", { platforms: { android: { threshold: 10_001 } } }, "platforms.android.threshold"],
  ["half a referral", { platforms: { ios: { threshold: 1.5 } } }, "platforms.ios.threshold"],
  ["no platform", { platforms: {} }, "platforms"],
  ["a blank name", { name: "  " }, "name"],
  ["an end before the start", { startsAt: new Date(2_000), endsAt: new Date(1_000) }, "endsAt"],
  ["an end in the year 10000 of UTC", { endsAt: "9999-12-31T23:59:00-08:00" }, "endsAt"],
  ["a start before the year 1", { startsAt: "0001-01-01T00:00:00+08:00" }, "startsAt"],
  ["no date", { startsAt: "tomorrow" }, "startsAt"],
])("refuses %s", async (_name, changes, field) => {
  const ctx = await freshApp();
  const run = createCampaign(ctx, { ...RULES, type: "referral", ...changes });
  await expect(run).rejects.toMatchObject({ code: "VALIDATION_ERROR", field });
  expect(await listCampaigns(ctx)).toEqual([]);
});

test("pools must be this app's, of the platform and for the use", async () => {
  const [ctx, other] = await Promise.all([freshApp(), freshApp()]);
  const ios = { platform: "ios", name: "Codes" } as const;
  const wrong = [
    await createPool(other, { ...ios, use: "referee" }),
    await createPool(ctx, { ...ios, use: "reward" }),
    await createPool(ctx, { ...ios, platform: "android", use: "referee" }),
  ];
  for (const { id: refereePoolId } of wrong) {
    const run = createCampaign(ctx, {
      ...RULES,
      type: "referral",
      platforms: { ios: { threshold: 1, refereePoolId } },
    });
    await expect(run).rejects.toMatchObject({ field: "platforms.ios.refereePoolId" });
  }
});

test("a pool that is deleted at the same moment is not stored", async () => {
  const ctx = await freshApp();
  const { id: refereePoolId } = await createPool(ctx, { platform: "ios", name: "Codes", use: "referee" });
  const rules = { name: "Launch", platforms: { ios: { threshold: 1, refereePoolId } } };
  const campaignId = await draft(ctx);
  const saves: Promise<unknown>[] = [];
  await database().transaction(async (db) => {
    await deletePool({ ...ctx, db }, refereePoolId);
    saves.push(createCampaign(ctx, { ...rules, type: "referral" }), updateCampaign(ctx, campaignId, rules));
    await Promise.race([Promise.allSettled(saves), blockedBackends(2)]);
  });
  for (const { status } of await Promise.allSettled(saves)) expect(status).toBe("rejected");
  const named = await ctx.db.orm.$count(
    campaignPlatforms,
    eq(campaignPlatforms.refereePoolId, refereePoolId),
  );
  expect(named).toBe(0);
});

test("another app's campaign is unknown", async () => {
  const [ctx, other] = await Promise.all([freshApp(), freshApp()]);
  const id = await draft(other);
  for (const act of [activateCampaign, pauseCampaign, resumeCampaign, endCampaign]) {
    await expect(act(ctx, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  await expect(updateCampaign(ctx, id, RULES)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const theirs = and(eq(campaigns.appId, other.app.id), eq(campaigns.id, id));
  expect(await database().orm.select({ status: campaigns.status }).from(campaigns).where(theirs)).toEqual([
    { status: "draft" },
  ]);
});

test("a campaign that is ended early has ended now, and one that is overdue on its own day", async () => {
  const day = (text: string) => ({ endsAt: new Date(`${text}T00:00:00Z`) });
  for (const [campaign, end] of [
    [{}, new Date()],
    [day("2099-01-01"), new Date()],
    [day("2020-01-01"), new Date("2020-01-01")],
  ] as const) {
    const { ctx, campaignId } = await makeTenant({ campaign });
    await endCampaign(ctx, campaignId);
    const [ended] = await listCampaigns(ctx, campaignId);
    expect(Math.abs((ended?.endsAt?.getTime() ?? 0) - end.getTime())).toBeLessThan(60_000);
  }
});
