import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { getPerson } from "@/lib/outward/person/get";
import {
  batches,
  campaignPlatforms,
  campaigns,
  codes,
  outbox,
  refereesInLine,
  referrals,
} from "@/lib/platform/db/schema";
import { activateCampaign, pauseCampaign, resumeCampaign } from "@/lib/program/campaigns/lifecycle";
import { updateReferrerStatus } from "@/lib/program/referrers/update";
import { copyCampaign } from "@/lib/testing/campaigns";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { makeBatch, makePool, type TenantOptions } from "@/lib/testing/tenant";
import { endPlaces, setAside } from "./line";

useService();

const DRAFT = { status: "draft", activatedAt: null } as const;

/** Referees in line of the first campaign, codes set aside for the first `size` of them, and a draft with the same pools. */
async function lineOf(uids: string[], size: number, options: TenantOptions = {}, next = {}) {
  const { tenant, api, metacode } = await referringTenant({ codes: 0, ...options });
  const { ctx, campaignId: first } = tenant;
  const poolId = tenant.pools.ios.referee;
  const redeem = async (uid: string) => (await api.redeem(uid, metacode)).status;
  for (const uid of uids) expect(await redeem(uid)).toBe(503);
  await makeBatch(ctx, poolId, "ios", { size });
  expect(await setAside(ctx, poolId)).toBe(size);
  const second = await copyCampaign(tenant, { ...DRAFT, ...next });
  const own = eq(refereesInLine.appId, ctx.app.id);
  const nameOf = (id: string) => (id === first ? "first" : "second");
  /** Each place with its campaign, and those for which a code is set aside. */
  const places = async () => {
    const rows = await ctx.db.orm
      .select()
      .from(refereesInLine)
      .where(own)
      .orderBy(asc(refereesInLine.place), asc(refereesInLine.campaignId));
    return rows.map(
      (row) => `${nameOf(row.campaignId)}: ${row.refereeUid}${row.codeId ? " has a code" : ""}`,
    );
  };
  const spent = async () => {
    const rows = await ctx.db.orm.select().from(campaigns).where(eq(campaigns.appId, ctx.app.id));
    return [first, second].map((id) => rows.find((row) => row.id === id)?.spentCodes);
  };
  const free = () =>
    ctx.db.orm.$count(codes, and(eq(codes.appId, ctx.app.id), eq(codes.status, "available")));
  return { tenant, ctx, api, metacode, poolId, redeem, places, spent, free, own, first, second };
}

test.each(["replaced by", "paused before"])(
  "a code that is set aside in a campaign %s another one serves there at once, and is counted there",
  async (how) => {
    const budgets = [{ campaign: { codeBudget: 5 } }, { codeBudget: 5 }] as const;
    const { ctx, first, second, redeem, places, spent } = await lineOf(["ada", "ben"], 1, ...budgets);
    expect(await spent()).toEqual([1, 0]);
    if (how === "paused before") await pauseCampaign(ctx, first);
    await activateCampaign(ctx, second, how === "replaced by" ? first : undefined);
    expect(await places()).toEqual(["second: ada has a code", "first: ben"]);
    expect(await spent()).toEqual([0, 1]);
    expect([await redeem("cem"), await redeem("ada")]).toEqual([503, 200]);
    expect(await spent()).toEqual([0, 1]);
  },
);

test("codes move back with the campaign, to a place in line there as well, and none is set aside twice", async () => {
  const { ctx, first, second, poolId, redeem, places } = await lineOf(["ada"], 0);
  await activateCampaign(ctx, second, first);
  expect(await redeem("ada")).toBe(503);
  await makeBatch(ctx, poolId, "ios", { size: 1 });
  expect(await setAside(ctx, poolId)).toBe(1);
  expect(await places()).toEqual(["first: ada", "second: ada has a code"]);
  await resumeCampaign(ctx, first, second);
  expect(await places()).toEqual(["first: ada has a code"]);
  expect(await redeem("ada")).toBe(200);
});

test("a code that was fetched in another campaign is not shown as one that was not", async () => {
  const { ctx, first, second, redeem } = await lineOf(["ada"], 1);
  await activateCampaign(ctx, second, first);
  expect(await redeem("ada")).toBe(200);
  const reserved = JSON.stringify({ reserved_until: new Date() });
  const ready = and(eq(outbox.appId, ctx.app.id), eq(outbox.type, "referral.code_ready"));
  const payload = sql`${outbox.payload} || ${reserved}::jsonb`;
  await ctx.db.orm.update(outbox).set({ payload }).where(ready);
  expect((await getPerson(ctx, "ada")).places).toEqual([]);
});

test("codes that do not serve in the active campaign are free within a minute, and their referees keep the places", async () => {
  const { ctx, first, second, redeem, places, free } = await lineOf(["ada", "ben"], 2);
  await ctx.db.orm
    .update(campaignPlatforms)
    .set({ refereePoolId: await makePool(ctx, "ios", "referee", 1) })
    .where(and(eq(campaignPlatforms.appId, ctx.app.id), eq(campaignPlatforms.campaignId, second)));
  await activateCampaign(ctx, second, first);
  await endPlaces(ctx);
  expect([await places(), await free()]).toEqual([["first: ada", "first: ben"], 3]);
  expect([await redeem("ada"), await redeem("ben")]).toEqual([200, 503]);
  await resumeCampaign(ctx, first, second);
  expect(await places()).toContain("first: ben has a code");
});

test("a campaign gains no more codes than its budget has room for, and none before its start", async () => {
  const spring = await lineOf(["ada", "ben", "cem"], 3, {}, { codeBudget: 2 });
  await activateCampaign(spring.ctx, spring.second, spring.first);
  expect(await spring.spent()).toEqual([0, 2]);
  await endPlaces(spring.ctx);
  expect(await spring.places()).toEqual(["second: ada has a code", "second: ben has a code", "first: cem"]);
  const later = await lineOf(["ada"], 1, {}, { startsAt: new Date(Date.now() + 3_600_000) });
  await activateCampaign(later.ctx, later.second, later.first);
  await endPlaces(later.ctx);
  expect([await later.places(), await later.free()]).toEqual([["first: ada"], 1]);
});

test("a code goes to no campaign in which its referee has a code or waits for a review, nor to one of influencers", async () => {
  const app = await lineOf(["ada", "ben", "cem"], 3);
  const { ctx, second, own, places } = app;
  const rows = await ctx.db.orm.select().from(refereesInLine).where(own).orderBy(asc(refereesInLine.place));
  const [ada, ben] = rows.map((row) => ({ ...row, campaignId: second, codeId: null, reservedUntil: null }));
  if (!ada || !ben) throw new Error("the line is empty");
  const { appId, campaignId, refereeUid, platform, referrerId } = ada;
  await ctx.db.orm
    .insert(referrals)
    .values({ appId, campaignId, refereeUid, platform, referrerId, id: uuidv7() });
  const held = { ...ben, place: uuidv7(), state: "review", beyond: "referrer_daily_cap" } as const;
  await ctx.db.orm.insert(refereesInLine).values(held);
  const stars = await copyCampaign(app.tenant, { ...DRAFT, type: "influencer" });
  await activateCampaign(ctx, stars);
  expect(await places()).toContain("first: cem has a code");
  await activateCampaign(ctx, second, app.first);
  await endPlaces(ctx);
  expect(await places()).toEqual(["first: ada", "first: ben", "second: cem has a code", "second: ben"]);
});

test("codes of a paused referrer's friends move, those of a withdrawn batch and of erased referees do not", async () => {
  const app = await lineOf(["ada", "ben", "cem"], 3);
  const { ctx, first, second, api, own, places } = app;
  const { referrer_id: ann } = (await api.referrer("ann")).body;
  await updateReferrerStatus(ctx, ann, "paused");
  const place = (uid: string) => and(own, eq(refereesInLine.refereeUid, uid));
  const erased = { reservedUntil: new Date(0), createdAt: new Date(0) };
  await ctx.db.orm.update(refereesInLine).set(erased).where(place("ben"));
  // As where a batch is withdrawn while the place of its code is locked.
  const [other] = await ctx.db.orm.select().from(refereesInLine).where(place("cem"));
  const withdrawn = await makeBatch(ctx, app.poolId, "ios", { size: 0 });
  await ctx.db.orm
    .update(codes)
    .set({ batchId: withdrawn })
    .where(eq(codes.id, other?.codeId ?? ""));
  await ctx.db.orm.update(batches).set({ state: "quarantined" }).where(eq(batches.id, withdrawn));
  await activateCampaign(ctx, second, first);
  await endPlaces(ctx);
  expect(await places()).toEqual(["second: ada has a code", "first: cem"]);
});

test("thousands of codes that are set aside move in steps", async () => {
  const { ctx, first, second, poolId, own } = await lineOf(["ada"], 0);
  const [place] = await ctx.db.orm.select().from(refereesInLine).where(own);
  const batchId = await makeBatch(ctx, poolId, "ios", { size: 2_000 });
  await ctx.db.orm.execute(sql`
    with reserved as (
      update codes set status = 'reserved' where app_id = ${ctx.app.id} and batch_id = ${batchId} returning id)
    insert into referees_in_line (app_id, campaign_id, referee_uid, platform, referrer_id, place, code_id, reserved_until)
    select ${ctx.app.id}, ${first}, id::text, 'ios', ${place?.referrerId}, new_id(), id, now() + interval '1 hour' from reserved`);
  await activateCampaign(ctx, second, first);
  const moved = and(own, eq(refereesInLine.campaignId, second), isNotNull(refereesInLine.codeId));
  expect(await ctx.db.orm.$count(refereesInLine, moved)).toBe(2_000);
});
