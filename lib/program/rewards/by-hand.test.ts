import { and, asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditLog, campaignPlatforms, outbox, rewards } from "@/lib/platform/db/schema";
import { createCampaign } from "@/lib/program/campaigns/create";
import { createInfluencer } from "@/lib/program/referrers/create-influencer";
import { updateReferrerStatus } from "@/lib/program/referrers/update";
import { conflictOf } from "@/lib/tenants/audit/changes";
import type { Context } from "@/lib/tenants/context";
import { clientOf } from "@/lib/testing/client";
import { useService } from "@/lib/testing/service";
import { asTeamMember } from "@/lib/testing/support";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";
import { claimForInfluencer, grantRewards } from "./by-hand";
import { listRewards } from "./list";

useService();

/** An influencer `anna` of a campaign on iOS that uses the tenant's reward pool. */
async function withInfluencer(codes: number, rewardCap: number | null = null) {
  const tenant = await makeTenant({ codes });
  const { id: campaignId } = await createCampaign(tenant.ctx, {
    type: "influencer",
    name: "Stars",
    platforms: { ios: { threshold: 1, rewardPoolId: tenant.pools.ios.reward, rewardCap } },
  });
  const { id } = await createInfluencer(tenant.ctx, {
    campaignId,
    metacode: `anna${tenant.ctx.app.id.slice(-8)}`,
    uid: "anna",
  });
  const grant = (count: number, platform: "ios" | "android" = "ios") =>
    grantRewards(tenant.ctx, { referrerId: id, platform, rewards: count, reason: "10,000 views" });
  return { ...tenant, id, grant };
}

const numbersOf = async ({ ctx }: Pick<Tenant, "ctx">) =>
  (
    await ctx.db.orm
      .select({ number: rewards.rewardNumber })
      .from(rewards)
      .where(eq(rewards.appId, ctx.app.id))
      .orderBy(asc(rewards.rewardNumber))
  ).map(({ number }) => number);

const audited = async ({ ctx }: Pick<Tenant, "ctx">, action: string) =>
  ctx.db.orm
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.workspaceId, ctx.workspace.id), eq(auditLog.action, action)));

test("rewards by hand get the next numbers, also from eight hands at once, with an event and an audit line each", async () => {
  const app = await withInfluencer(0);
  const granted = await Promise.all(Array.from({ length: 8 }, () => app.grant(2)));
  expect(granted.flatMap(({ numbers }) => numbers).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 16 }, (_, at) => at + 1),
  );
  expect(await numbersOf(app)).toHaveLength(16);
  const earned = and(eq(outbox.appId, app.ctx.app.id), eq(outbox.type, "reward.earned"));
  expect(await app.ctx.db.orm.$count(outbox, earned)).toBe(16);
  const [entry] = await audited(app, "reward.granted");
  expect(entry?.after).toMatchObject({ reason: "10,000 views", platform: "ios" });
  const { stats } = (await clientOf(app.key).referrer("anna")).body;
  expect(stats).toMatchObject({ rewards_earned: 16, rewards_available: 16 });
});

test("the influencer claims them by the API, or the owner takes the codes once", async () => {
  const app = await withInfluencer(3);
  await app.grant(1);
  const byApi = (await clientOf(app.key).claim("anna")).body.claimed_rewards;
  await app.grant(2);
  const { message, claimed_rewards: byHand } = await claimForInfluencer(app.ctx, app.id);
  expect(message).toBe("Successfully claimed 2 rewards");
  expect(new Set([...byApi, ...byHand].map(({ code }) => code)).size).toBe(3);
  await expect(claimForInfluencer(app.ctx, app.id)).rejects.toMatchObject({ code: "NO_REWARDS_AVAILABLE" });
  const entries = await audited(app, "reward.handed_out");
  expect(entries.map(({ after }) => after)).toEqual([{ rewards: ["ios 2", "ios 3"] }]);
  expect(JSON.stringify(entries)).not.toContain(byHand[0]?.code);
  await app.grant(1);
  await expect(claimForInfluencer(app.ctx, app.id)).rejects.toMatchObject({ code: "NO_CODES_AVAILABLE" });
  // The refill orders by this reason.
  const waiting = and(eq(rewards.appId, app.ctx.app.id), eq(rewards.waitsFor, "no_codes"));
  expect(await app.ctx.db.orm.$count(rewards, waiting)).toBe(1);
  expect(await audited(app, "reward.handed_out")).toHaveLength(1);
});

test("the cap, the end, the platform and other kinds of referrers are refused, and nothing is left behind", async () => {
  const app = await withInfluencer(1, 3);
  await app.grant(2);
  await expect(app.grant(2)).rejects.toMatchObject({
    field: "rewards",
    message: expect.stringContaining("1 left"),
  });
  await expect(app.grant(1, "android")).rejects.toMatchObject({ field: "platform" });
  await app.grant(1);
  const { referrer_id: referrerId } = (await clientOf(app.key).referrer("bob")).body;
  const toBob = { referrerId, platform: "ios", rewards: 1, reason: "x" } as const;
  await expect(grantRewards(app.ctx, toBob)).rejects.toMatchObject({ code: "CONFLICT" });
  await expect(claimForInfluencer(app.ctx, referrerId)).rejects.toMatchObject({ code: "CONFLICT" });
  const other = await makeTenant();
  const granted = grantRewards(other.ctx, { ...toBob, referrerId: app.id });
  await expect(granted).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(claimForInfluencer(other.ctx, app.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await app.ctx.db.orm
    .update(campaignPlatforms)
    .set({ rewardCap: null })
    .where(eq(campaignPlatforms.appId, app.ctx.app.id));
  await updateReferrerStatus(app.ctx, app.id, "ended");
  await expect(app.grant(1)).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await numbersOf(app)).toEqual([1, 2, 3]);
});

test("of two members who grant the same rewards at once, the second is asked again", async () => {
  const app = await withInfluencer(0);
  const seen = JSON.stringify({ earned: 0 });
  const grant = (form: Context) =>
    grantRewards(form, { referrerId: app.id, platform: "ios", rewards: 2, reason: "10,000 views" });
  const results = await Promise.allSettled([0, 1].map(() => grant({ ...asTeamMember(app.ctx), seen })));
  const [refusal] = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  expect(refusal).toMatchObject({ code: "CONFLICT", message: expect.stringContaining("saved this") });
  expect(conflictOf(refusal)?.changes).toEqual([{ field: "earned", before: "2", after: "4" }]);
  expect(await numbersOf(app)).toEqual([1, 2]);
  await grant({ ...asTeamMember(app.ctx), seen: conflictOf(refusal)?.seen });
  expect(await numbersOf(app)).toEqual([1, 2, 3, 4]);
});

test("an influencer's rewards are listed page by page, and on each those beyond the codes wait", async () => {
  const { ctx, id, grant } = await withInfluencer(30);
  await grant(60);
  await grant(60);
  const read = (cursor?: string) => listRewards(ctx, id, cursor);
  const first = await read();
  const second = await read(first.nextCursor ?? "");
  const third = await read(second.nextCursor ?? "");
  const listed = [first, second, third].flatMap(({ data }) => data);
  expect(listed.map(({ rewardNumber }) => rewardNumber)).toEqual(
    Array.from({ length: 120 }, (_, n) => 120 - n),
  );
  expect([first, second].map(({ data }) => data.length)).toEqual([50, 50]);
  expect(third.nextCursor).toBeNull();
  const waits = listed.filter(({ waitsFor }) => waitsFor === "no_codes");
  expect(waits.map(({ rewardNumber }) => rewardNumber)).toEqual(
    Array.from({ length: 90 }, (_, n) => 120 - n),
  );
});
