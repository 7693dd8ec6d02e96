import { and, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { campaignRules } from "@/lib/contract/campaign";
import { database } from "@/lib/platform/db/client";
import { auditLog, campaignPlatforms, outbox, referrerProgress, rewards } from "@/lib/platform/db/schema";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { updateCampaign } from "@/lib/testing/campaigns";
import { clientOf } from "@/lib/testing/client";
import { applyEvent, refer } from "@/lib/testing/confirm";
import { blockedBackends } from "@/lib/testing/database/locks";
import { sweepOnce } from "@/lib/testing/rounds";
import { useService } from "@/lib/testing/service";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";
import { grantDue, resumeGranting } from "./granting";
import { replacePlatforms } from "./platforms";
import { getCampaign } from "./read";

useService();

/** Parsed rules with a threshold of 4. */
const FOUR = campaignRules.parse({ name: "Launch", platforms: { ios: { threshold: 4 } } }).platforms;

/** A referrer for each number of confirmed referrals on iOS, with the rewards earned at a threshold of 5. */
async function confirmedCounts(tenant: Tenant, counts: number[], threshold = 5): Promise<string[]> {
  const { ctx, campaignId } = tenant;
  const key = { appId: ctx.app.id, campaignId, platform: "ios" as const };
  const progress = counts.map((confirmed) => ({
    ...key,
    referrerId: uuidv7(),
    confirmed,
    earned: Math.floor(confirmed / threshold),
  }));
  const earned = progress.flatMap(({ referrerId, earned }) =>
    Array.from({ length: earned }, (_, at) => ({ ...key, id: uuidv7(), referrerId, rewardNumber: at + 1 })),
  );
  await ctx.db.orm.insert(referrerProgress).values(progress);
  if (earned.length > 0) await ctx.db.orm.insert(rewards).values(earned);
  return progress.map(({ referrerId }) => referrerId);
}

const rules = (tenant: Tenant, threshold: number, rewardCap: number | null = null) => ({
  name: "Launch",
  platforms: { ios: { threshold, rewardCap, rewardPoolId: tenant.pools.ios.reward } },
});

/** Rewards of each referrer by the counts and by the rows themselves, whose numbers must run from 1. */
async function earnedBy({ ctx }: Tenant, ids: string[]) {
  const mine = eq(referrerProgress.appId, ctx.app.id);
  const counted = await ctx.db.orm.select().from(referrerProgress).where(mine);
  const rows = await ctx.db.orm.select().from(rewards).where(eq(rewards.appId, ctx.app.id));
  return ids.map((id) => {
    const numbers = rows.filter(({ referrerId }) => referrerId === id).map((row) => row.rewardNumber);
    const { earned } = counted.find(({ referrerId }) => referrerId === id) ?? { earned: -1 };
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: earned }, (_, at) => at + 1));
    return earned;
  });
}

const eventsOf = async ({ ctx }: Tenant) =>
  ctx.db.orm.$count(outbox, and(eq(outbox.appId, ctx.app.id), eq(outbox.type, "reward.earned")));

const ruleOf = async ({ ctx, campaignId }: Tenant) => (await getCampaign(ctx, campaignId)).platforms[0];

test("the shown rewards are granted, with an event for each", async () => {
  const tenant = await makeTenant({ threshold: 5, codes: 4 });
  const ids = await confirmedCounts(tenant, [0, 1, 2, 4, 5, 9, 23]);
  const refused = await updateCampaign(tenant.ctx, tenant.campaignId, rules(tenant, 2));
  const counts = { referrers: 5, rewards: 1 + 2 + 1 + 3 + 7, waiting: 6, free: 4 };
  const due = { platform: "ios", ...counts, rewardsOn: "friend", budget: null };
  expect(refused).toEqual({ saved: false, due: [due] });
  expect(await earnedBy(tenant, ids)).toEqual([0, 0, 0, 0, 1, 1, 4]);
  expect((await ruleOf(tenant))?.threshold).toBe(5);

  const done = await updateCampaign(tenant.ctx, tenant.campaignId, rules(tenant, 2), due.rewards);
  expect(done).toEqual({ saved: true, due: [due] });
  expect(await earnedBy(tenant, ids)).toEqual([0, 0, 1, 2, 2, 4, 11]);
  expect(await eventsOf(tenant)).toBe(due.rewards);
  expect(await ruleOf(tenant)).toMatchObject({ threshold: 2, grantAfter: null, granted: due.rewards });
});

test("an erased referrer earns nothing more, by a friend who confirms later or by a lower threshold", async () => {
  const tenant = await makeTenant({ threshold: 2 });
  const { ctx, campaignId } = tenant;
  const api = clientOf(tenant.key);
  const friends = { ann: ["ben", "cem"], eve: ["dan"] };
  for (const [uid, invited] of Object.entries(friends)) {
    const { metacode } = (await api.referrer(uid)).body;
    for (const friend of invited) expect((await api.redeem(friend, metacode)).status).toBe(200);
  }
  for (const friend of ["ben", "dan"]) expect(await applyEvent(ctx, friend)).toBe("confirmed");
  for (const uid of Object.keys(friends)) await eraseEndUser(ctx, uid);
  expect(await applyEvent(ctx, "cem")).toBe("confirmed");
  // No reward becomes due, so no consent is needed first.
  await updateCampaign(ctx, campaignId, rules(tenant, 1));
  expect((await getCampaign(ctx, campaignId)).platforms).toMatchObject([{ threshold: 1 }]);
  await resumeGranting(database());
  expect(await ctx.db.orm.$count(rewards, eq(rewards.appId, ctx.app.id))).toBe(0);
  expect(await eventsOf(tenant)).toBe(0);
  const progress = await ctx.db.orm
    .select()
    .from(referrerProgress)
    .where(eq(referrerProgress.appId, ctx.app.id));
  expect(progress.map(({ confirmed, earned }) => [confirmed, earned]).sort()).toEqual([
    [1, 0],
    [2, 0],
  ]);
});

test("the unclaimed rewards of an erased referrer, which are lost, do not wait for codes", async () => {
  const tenant = await makeTenant({ threshold: 2, codes: 6 });
  await confirmedCounts(tenant, [5], 2);
  const { metacode } = (await clientOf(tenant.key).referrer("ann")).body;
  await refer(tenant, metacode, 2);
  const waiting = async () =>
    (await updateCampaign(tenant.ctx, tenant.campaignId, rules(tenant, 1))).due.map((due) => due.waiting);
  expect(await waiting()).toEqual([3]);
  await eraseEndUser(tenant.ctx, "ann");
  expect(await waiting()).toEqual([2]);
});

test("no referrer is granted a reward twice, and a higher threshold takes nothing away", async () => {
  const tenant = await makeTenant({ threshold: 5 });
  const ids = await confirmedCounts(tenant, [4, 10]);
  const change = (threshold: number) =>
    updateCampaign(tenant.ctx, tenant.campaignId, rules(tenant, threshold), 100);
  for (const threshold of [2, 8, 2, 5, 2]) await change(threshold);
  await Promise.all([change(2), change(2), change(2)]);
  expect(await earnedBy(tenant, ids)).toEqual([2, 5]);
  expect(await eventsOf(tenant)).toBe(2 + 3);
  await change(10_000);
  expect(await earnedBy(tenant, ids)).toEqual([2, 5]);
});

test("the cap holds, and lifting it makes the rest due", async () => {
  const tenant = await makeTenant({ threshold: 5 });
  const ids = await confirmedCounts(tenant, [3, 20]);
  const change = (cap: number | null, agreed: number) =>
    updateCampaign(tenant.ctx, tenant.campaignId, rules(tenant, 1, cap), agreed);
  expect((await change(6, 5)).saved).toBe(true);
  expect(await earnedBy(tenant, ids)).toEqual([3, 6]);
  expect(await change(null, 13)).toMatchObject({ saved: false, due: [{ referrers: 1, rewards: 14 }] });
  expect((await change(null, 14)).saved).toBe(true);
  expect(await earnedBy(tenant, ids)).toEqual([3, 20]);
});

test("a draft and an influencer campaign make nothing due", async () => {
  for (const campaign of [{ status: "draft", activatedAt: null }, { type: "influencer" }] as const) {
    const tenant = await makeTenant({ campaign, threshold: 5 });
    await confirmedCounts(tenant, [4]);
    const done = await updateCampaign(tenant.ctx, tenant.campaignId, rules(tenant, 1));
    expect(done).toEqual({ saved: true, due: [] });
    expect(await eventsOf(tenant)).toBe(0);
  }
});

test("confirmations that arrive while a threshold falls are counted once each", async () => {
  const tenant = await makeTenant({ threshold: 4, codes: 60 });
  const api = clientOf(tenant.key);
  const { metacode, referrer_id } = (await api.referrer("ann")).body;
  await refer(tenant, metacode, 3);
  const uids = Array.from({ length: 20 }, (_, at) => `late ${at}`);
  for (const uid of uids) await api.redeem(uid, metacode);
  await Promise.all([
    ...uids.map((uid) => applyEvent(tenant.ctx, uid)),
    ...[3, 2, 1].map((threshold) =>
      updateCampaign(tenant.ctx, tenant.campaignId, rules(tenant, threshold), 1_000),
    ),
  ]);
  const { threshold = 0 } = (await ruleOf(tenant)) ?? {};
  await updateCampaign(tenant.ctx, tenant.campaignId, rules(tenant, 1), 1_000);
  expect([1, 2, 3]).toContain(threshold);
  expect(await earnedBy(tenant, [referrer_id])).toEqual([23]);
  expect(await eventsOf(tenant)).toBe(23);
});

test("a confirmation under way when a threshold falls earns its reward, although none was due yet", async () => {
  const tenant = await makeTenant({ threshold: 3 });
  const { ctx, campaignId } = tenant;
  const api = clientOf(tenant.key);
  const { metacode, referrer_id } = (await api.referrer("ann")).body;
  await refer(tenant, metacode, 1);
  await api.redeem("late", metacode);
  const underWay = await database().pool.connect();
  await underWay.query("begin");
  const late = await underWay.query("select id from referrals where app_id = $1 and referee_uid = 'late'", [
    ctx.app.id,
  ]);
  await underWay.query("select confirm_by_hand($1, $2)", [ctx.app.id, late.rows[0].id]);
  const saved = updateCampaign(ctx, campaignId, rules(tenant, 2));
  await Promise.race([saved, blockedBackends()]);
  await underWay.query("commit");
  underWay.release();
  expect(await saved).toEqual({ saved: true, due: [] });
  expect(await earnedBy(tenant, [referrer_id])).toEqual([1]);
});

test("interrupted granting continues where it stopped", async () => {
  const tenant = await makeTenant({ threshold: 5 });
  const { ctx, campaignId } = tenant;
  const ids = await confirmedCounts(tenant, new Array(700).fill(4));
  await replacePlatforms(ctx.db, ctx.app.id, campaignId, FOUR, new Set(["ios"]));
  const first = await grantDue(ctx.db, ctx.app.id, campaignId, "ios", 1);
  expect(first).toEqual({ granted: 500, done: false });
  expect((await ruleOf(tenant))?.grantAfter).toBe(ids[499]);
  await sweepOnce(ctx.db);
  expect(await eventsOf(tenant)).toBe(700);
  expect(await ruleOf(tenant)).toMatchObject({ grantAfter: null, granted: 700 });
});

test("of several processes, one grants at a time", async () => {
  const tenant = await makeTenant({ threshold: 5 });
  const { ctx, campaignId } = tenant;
  await confirmedCounts(tenant, new Array(1_200).fill(4));
  await replacePlatforms(ctx.db, ctx.app.id, campaignId, FOUR, new Set(["ios"]));
  const runs = await Promise.all([1, 2, 3, 4].map(() => resumeGranting(ctx.db)));
  expect(runs.reduce((total, granted) => total + granted)).toBe(1_200);
  expect(await eventsOf(tenant)).toBe(1_200);
});

test("the audit log records the change and the number of rewards due", async () => {
  const tenant = await makeTenant({ threshold: 5, codes: 0 });
  const { ctx, campaignId } = tenant;
  await ctx.db.orm
    .delete(campaignPlatforms)
    .where(and(eq(campaignPlatforms.appId, ctx.app.id), sql`platform = 'android'`));
  await confirmedCounts(tenant, [4]);
  const pools = { refereePoolId: tenant.pools.ios.referee, rewardPoolId: tenant.pools.ios.reward };
  await updateCampaign(
    ctx,
    campaignId,
    { name: "Launch", platforms: { ios: { threshold: 4, ...pools } } },
    1,
  );
  const [entry] = await ctx.db.orm.select().from(auditLog).where(eq(auditLog.workspaceId, ctx.workspace.id));
  expect(entry).toMatchObject({
    action: "campaign.changed",
    subjectId: campaignId,
    subjectName: "Launch",
    appId: ctx.app.id,
    before: { "ios.threshold": 5 },
    after: { "ios.threshold": 4, rewardsDue: 1 },
  });
  expect(Object.keys(entry?.before ?? {})).toEqual(["ios.threshold"]);
});
