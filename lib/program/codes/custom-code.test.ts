import { readFile } from "node:fs/promises";
import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "@/lib/contract/format";
import { detect } from "@/lib/outward/problems/detect";
import { batches, offerTakers, refereesInLine, rewards } from "@/lib/platform/db/schema";
import { setAside } from "@/lib/program/line/line";
import { createInfluencer } from "@/lib/program/referrers/create-influencer";
import { copyCampaign } from "@/lib/testing/campaigns";
import { clientOf } from "@/lib/testing/client";
import { earnRewards } from "@/lib/testing/confirm";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { createCustomCode } from "./import";
import { updateBatch } from "./update-batch";

useService();

test.each([
  ["ios", undefined],
  ["ios", "Gift"],
  ["android", undefined],
  ["android", "Gift"],
] as const)(
  "one user gets the text of a custom code once (%s, offer %s): further rewards wait for another offer",
  async (platform, offer) => {
    const tenant = await makeTenant({ codes: 0 });
    const { ctx, pools } = tenant;
    const api = clientOf(tenant.key);
    await createCustomCode(ctx, { poolId: pools[platform].reward, code: "GIFT2030", limit: 10, offer });
    await earnRewards(tenant, "ann", 3, platform);
    await earnRewards(tenant, "eve", 1, platform);
    expect((await api.referrer("ann")).body.stats).toMatchObject({
      rewards_available: 3,
      rewards_waiting: 2,
    });
    const { body } = await api.claim("ann");
    expect(body.claimed_rewards.map(({ code }: { code: string }) => code)).toEqual(["GIFT2030"]);
    expect((await api.referrer("ann")).body.stats).toMatchObject({
      rewards_available: 2,
      rewards_waiting: 2,
    });
    expect((await api.claim("ann")).body.error.code).toBe("NO_CODES_AVAILABLE");
    const own = eq(rewards.appId, ctx.app.id);
    const waits = await ctx.db.orm.select({ for: rewards.waitsFor }).from(rewards).where(own);
    expect(waits.filter((row) => row.for === "same_offer")).toHaveLength(2);
    expect((await api.claim("eve")).body.claimed_rewards).toHaveLength(1);
    const titles = (await detect(ctx)).map(({ title }) => title);
    expect(titles.filter((title) => title.startsWith("1 person needs"))).toHaveLength(1);
  },
);

test("one user gets it once in two campaigns that share its pool, also from the line", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 0 });
  const { ctx, pools } = tenant;
  const poolId = pools.android.referee;
  await createCustomCode(ctx, { poolId, code: "GIFT2030", limit: 10 });
  expect((await api.redeem("ben", metacode, "android")).status).toBe(200);
  const next = await copyCampaign(tenant, { type: "influencer", name: "Next" });
  const ida = await createInfluencer(ctx, {
    campaignId: next,
    name: "Ida",
    metacode: `ida${next.slice(-8)}`,
  });
  expect((await api.redeem("ben", ida.metacode, "android")).body.error.code).toBe("NO_CODES_AVAILABLE");
  expect(await setAside(ctx, poolId)).toBe(0);
  const own = and(eq(refereesInLine.appId, ctx.app.id), eq(refereesInLine.refereeUid, "ben"));
  expect(await ctx.db.orm.select({ code: refereesInLine.codeId }).from(refereesInLine).where(own)).toEqual([
    { code: null },
  ]);
  expect((await api.redeem("cem", ida.metacode, "android")).status).toBe(200);
});

test("the offer of a custom code can be named and not be removed", async () => {
  const { ctx, pools } = await makeTenant({ codes: 0 });
  const { batchId } = await createCustomCode(ctx, { poolId: pools.ios.referee, code: "GIFT2030", limit: 3 });
  const offer = async () => {
    const [row] = await ctx.db.orm
      .select()
      .from(batches)
      .where(eq(batches.id, batchId ?? ""));
    return row?.offer;
  };
  expect(await offer()).toBe(`Custom code ${batchId?.slice(-6)}`);
  await updateBatch(ctx, { batchId: batchId ?? "", offer: "Gift", expiresAt: null });
  expect(await offer()).toBe("Gift");
  await updateBatch(ctx, { batchId: batchId ?? "", offer: null, expiresAt: null });
  expect(await offer()).toBe(`Custom code ${batchId?.slice(-6)}`);
});

test("a custom code that is set aside is not assigned to a user who has it from another campaign by then", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 0 });
  const { ctx, pools } = tenant;
  const poolId = pools.android.referee;
  const next = await copyCampaign(tenant, { type: "influencer", name: "Next" });
  const ida = await createInfluencer(ctx, {
    campaignId: next,
    name: "Ida",
    metacode: `ida${next.slice(-8)}`,
  });
  expect((await api.redeem("ben", ida.metacode, "android")).status).toBe(503);
  await createCustomCode(ctx, { poolId, code: "GIFT2030", limit: 10 });
  expect((await api.redeem("ben", metacode, "android")).status).toBe(200);
  expect((await api.redeem("ben", ida.metacode, "android")).body.error.code).toBe("NO_CODES_AVAILABLE");
});

test("custom codes of the version before get an offer, which their users have had", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 0 });
  const { ctx, pools } = tenant;
  const { batchId } = await createCustomCode(ctx, { poolId: pools.ios.referee, code: "GIFT2030", limit: 3 });
  await ctx.db.orm.update(batches).set({ offer: null }).where(eq(batches.appId, ctx.app.id));
  expect((await api.redeem("ben", metacode)).status).toBe(200);
  // Its expiry can be edited although a code is assigned, which also names the offer where the migration has not.
  const expiresAt = new Date(Date.now() + 40 * DAY_MS);
  await updateBatch(ctx, { batchId: batchId ?? "", offer: null, expiresAt });
  await ctx.db.orm.update(batches).set({ offer: null }).where(eq(batches.appId, ctx.app.id));
  const migration = await readFile("drizzle/0041_custom_code_offers.sql", "utf8");
  for (const statement of migration.split("--> statement-breakpoint"))
    await ctx.db.orm.execute(sql.raw(statement));
  const [row] = await ctx.db.orm.select().from(batches).where(eq(batches.appId, ctx.app.id));
  expect(row?.offer).toBe(`Custom code ${batchId?.slice(-6)}`);
  const takers = await ctx.db.orm.select().from(offerTakers).where(eq(offerTakers.appId, ctx.app.id));
  expect(takers).toMatchObject([{ platform: "ios", offer: row?.offer, uid: "ben" }]);
});
