import { randomBytes } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { READ_ONLY_SCOPES } from "@/lib/contract/api-key";
import { referrerResponse } from "@/lib/contract/referrer";
import { campaignPlatforms, campaigns, outbox, referrers } from "@/lib/platform/db/schema";
import {
  activateCampaign,
  endCampaign,
  pauseCampaign,
  resumeCampaign,
} from "@/lib/program/campaigns/lifecycle";
import { createPool } from "@/lib/program/pools/pools";
import { copyCampaign } from "@/lib/testing/campaigns";
import { clientOf, postToApi } from "@/lib/testing/client";
import { applyEvent, earnRewards, refer } from "@/lib/testing/confirm";
import { useService } from "@/lib/testing/service";
import { makeBatch, makeKey, makeTenant, type Tenant } from "@/lib/testing/tenant";

useService();

const rowsOf = ({ ctx }: Tenant) =>
  ctx.db.orm.select().from(referrers).where(eq(referrers.appId, ctx.app.id));
const NOTHING = { current: 0, threshold: 0, next_reward_at: 0, percentage: 0 };

describe("the first call for a user", () => {
  test("creates a referrer whose metacode is its slug and the end of its link", async () => {
    const { key } = await makeTenant({ threshold: 5 });
    const { status, body } = await clientOf(key).referrer("ann");
    expect(status).toBe(200);
    expect(referrerResponse.parse(body)).toEqual(body);
    expect(body.referrer_slug).toMatch(/^[23456789bcdfghjkmnpqrstvwxz]{8}$/);
    expect(body.metacode).toBe(body.referrer_slug);
    expect(body.referral_link).toBe(`http://localhost:3000/r/${body.metacode}`);
    const untouched = { current: 0, threshold: 5, next_reward_at: 5, percentage: 0 };
    expect(body).toMatchObject({
      status: "active",
      stats: { referrals_count: 0, rewards_earned: 0, rewards_available: 0 },
      progress: { ios: untouched, android: untouched },
    });
  });

  test("creates one referrer and one event for 16 simultaneous calls", async () => {
    const tenant = await makeTenant();
    const replies = await Promise.all(Array.from({ length: 16 }, () => clientOf(tenant.key).referrer("ann")));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await rowsOf(tenant)).toHaveLength(1);
    const events = await tenant.ctx.db.orm
      .select()
      .from(outbox)
      .where(and(eq(outbox.appId, tenant.ctx.app.id), eq(outbox.type, "referrer.created")));
    expect(events).toHaveLength(1);
  });

  test("compares user ids byte by byte", async () => {
    const tenant = await makeTenant();
    const uids = ["ann", "Ann", " ann", "ann ", "a\u0301nn", "\u00e1nn", "ann\u200b"];
    for (const uid of uids) await clientOf(tenant.key).referrer(uid);
    expect((await rowsOf(tenant)).map(({ uid }) => uid).sort()).toEqual([...uids].sort());
  });

  test("takes a name that is longer than an index entry", async () => {
    const tenant = await makeTenant();
    const name = randomBytes(1_900).toString("hex");
    expect((await clientOf(tenant.key).referrer("ann", { name })).status).toBe(200);
    expect((await rowsOf(tenant))[0]?.metadata).toEqual({ name });
  });

  test("needs referrer:write to create one; reading an existing one does not", async () => {
    const tenant = await makeTenant();
    const readOnly = clientOf(await makeKey(tenant, READ_ONLY_SCOPES));
    const refused = await readOnly.referrer("ann");
    expect([refused.status, refused.body.error.code]).toEqual([403, "FORBIDDEN"]);
    expect(refused.body.error.message).toContain("referrer:write");
    expect(await rowsOf(tenant)).toHaveLength(0);
    const { body } = await clientOf(tenant.key).referrer("ann");
    const read = await readOnly.referrer("ann");
    expect([read.status, read.body]).toEqual([200, body]);
  });
});

describe("metadata", () => {
  const nested = (levels: number): unknown => (levels === 0 ? 1 : { deeper: nested(levels - 1) });
  const keys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));

  test.each([
    ["depth 5", nested(5)],
    ["50 keys", keys(50)],
    ["4,096 bytes", { a: "x".repeat(4_096 - 8) }],
    ["anything JSON", { a: [1, "2", null, true, { b: [] }], "": "" }],
  ])("of %s is kept as it is", async (_, metadata) => {
    const tenant = await makeTenant();
    expect((await clientOf(tenant.key).referrer("ann", metadata)).status).toBe(200);
    expect((await rowsOf(tenant))[0]?.metadata).toEqual(metadata);
  });

  test.each([
    ["null", "null", /object/],
    ["an array", "[]", /object/],
    ["depth 6", JSON.stringify(nested(6)), /5 levels/],
    ["51 keys", JSON.stringify(keys(51)), /50 keys/],
    ["51 keys on two levels", JSON.stringify({ a: keys(50) }), /50 keys/],
    ["4,097 bytes", JSON.stringify({ a: "x".repeat(4_097 - 8) }), /4096/],
    ["4,098 bytes of two-byte letters", JSON.stringify({ a: "é".repeat(2_045) }), /4096/],
    ["NUL in a value", '{"a":["\\u0000"]}', /NUL/],
    ["NUL in a key", '{"\\u0000":1}', /NUL/],
    ["a lone surrogate", '{"a":"\\ud800"}', /Unicode/],
    ["a number beyond numbers", '{"a":1e400}', /range/],
  ])("of %s is refused, and nothing is stored", async (_, json, says) => {
    const tenant = await makeTenant();
    const { status, body } = await postToApi("referrer", `{"uid":"ann","metadata":${json}}`, tenant.key);
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(/^metadata /)]);
    expect(body.error.message).toMatch(says);
    expect(await rowsOf(tenant)).toHaveLength(0);
  });

  test("loses __proto__ on every level, and is used on the first call only", async () => {
    const tenant = await makeTenant();
    const body = '{"uid":"ann","metadata":{"__proto__":{"x":1},"a":{"__proto__":2,"b":3}}}';
    expect((await postToApi("referrer", body, tenant.key)).status).toBe(200);
    await clientOf(tenant.key).referrer("ann", { other: 1 });
    expect((await rowsOf(tenant))[0]?.metadata).toEqual({ a: { b: 3 } });
  });
});

describe("progress", () => {
  test("runs from one reward to the next: 60% at 3 of 5, 0% at 5 of 5", async () => {
    const tenant = await makeTenant({ threshold: 5, codes: 20 });
    const api = clientOf(tenant.key);
    const { metacode } = (await api.referrer("ann")).body;
    const read = async () => (await api.referrer("ann")).body;
    const referees = await refer(tenant, metacode, 3);
    expect((await read()).progress.ios).toEqual({
      current: 3,
      threshold: 5,
      next_reward_at: 5,
      percentage: 60,
    });
    await refer(tenant, metacode, 2);
    await refer(tenant, metacode, 1, "android");
    const five = await read();
    expect(five.progress).toEqual({
      ios: { current: 5, threshold: 5, next_reward_at: 10, percentage: 0 },
      android: { current: 1, threshold: 5, next_reward_at: 5, percentage: 20 },
    });
    expect(five.stats).toEqual({ referrals_count: 6, rewards_earned: 1, rewards_available: 1 });

    expect(await applyEvent(tenant.ctx, referees[0] ?? "", "reverse")).toBe("reversed");
    const four = await read();
    expect(four.progress.ios).toEqual({ current: 4, threshold: 5, next_reward_at: 10, percentage: 0 });
    expect(four.stats).toEqual({ referrals_count: 5, rewards_earned: 1, rewards_available: 1 });
  });

  test("is nothing without a campaign, in a draft, and on a platform without rules", async () => {
    const tenant = await makeTenant({ campaign: { status: "draft", activatedAt: null } });
    const { body } = await clientOf(tenant.key).referrer("ann");
    expect([body.progress, body.status]).toEqual([{ ios: NOTHING, android: NOTHING }, "active"]);
  });

  test("counts an influencer's referrals without promising rewards", async () => {
    const tenant = await makeTenant({ campaign: { type: "influencer" } });
    const api = clientOf(tenant.key);
    const { metacode } = (await api.referrer("ann")).body;
    await tenant.ctx.db.orm
      .update(referrers)
      .set({ campaignId: tenant.campaignId })
      .where(eq(referrers.appId, tenant.ctx.app.id));
    await refer(tenant, metacode, 4);
    const { progress, stats } = (await api.referrer("ann")).body;
    expect(progress.ios).toEqual({ ...NOTHING, current: 4 });
    expect(stats).toEqual({ referrals_count: 4, rewards_earned: 0, rewards_available: 0 });
  });
});

test("rewards of two campaigns, whose pools hold the same offer, wait as the claim of both says", async () => {
  const tenant = await makeTenant({ codes: 0 });
  const { ctx, pools: made } = tenant;
  const api = clientOf(tenant.key);
  const next = await copyCampaign(tenant, { status: "ended" });
  const { id: pool } = await createPool(ctx, { name: "Next", platform: "ios", use: "reward" });
  const of = and(eq(campaignPlatforms.appId, ctx.app.id), eq(campaignPlatforms.campaignId, next));
  await ctx.db.orm.update(campaignPlatforms).set({ rewardPoolId: pool }).where(of);
  for (const poolId of [made.ios.reward, pool]) {
    await makeBatch(ctx, poolId, "ios", { size: 3, offer: "spring" });
  }
  for (const campaignId of [tenant.campaignId, next]) await earnRewards({ ...tenant, campaignId }, "ann", 1);
  const { stats } = (await api.referrer("ann")).body;
  expect(stats).toMatchObject({ rewards_earned: 2, rewards_available: 2, rewards_waiting: 1 });
  expect((await api.claim("ann")).body.claimed_rewards).toHaveLength(1);
});

const PAST = new Date(Date.now() - 1_000);

describe("status", () => {
  test.each([
    ["active", { status: "active" }, "active"],
    ["active", { status: "paused" }, "paused"],
    ["active", { status: "ended" }, "ended"],
    ["active", { status: "active", endsAt: PAST }, "ended"],
    ["paused", { status: "active" }, "paused"],
    ["paused", { status: "paused" }, "paused"],
    ["paused", { status: "ended" }, "ended"],
    ["ended", { status: "active" }, "ended"],
    ["ended", { status: "paused" }, "ended"],
  ] as const)("a referrer %s in a campaign %j is %s", async (own, campaign, seen) => {
    const { ctx, key } = await makeTenant();
    await clientOf(key).referrer("ann");
    await ctx.db.orm.update(referrers).set({ status: own }).where(eq(referrers.appId, ctx.app.id));
    await ctx.db.orm.update(campaigns).set(campaign).where(eq(campaigns.appId, ctx.app.id));
    expect((await clientOf(key).referrer("ann")).body.status).toBe(seen);
  });

  test("without an active campaign is that of the campaign that was active last", async () => {
    const tenant = await makeTenant();
    const { ctx, campaignId, key } = tenant;
    const status = async () => (await clientOf(key).referrer("ann")).body.status;
    const next = await copyCampaign(tenant, { status: "draft", activatedAt: null });
    await activateCampaign(ctx, next, campaignId);
    await endCampaign(ctx, next);
    expect(await status()).toBe("ended");
    await resumeCampaign(ctx, campaignId);
    await pauseCampaign(ctx, campaignId);
    expect(await status()).toBe("paused");
  });
});
