import { and, asc, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { batches, identityLinks, offerTakers, pools, refereesInLine } from "@/lib/platform/db/schema";
import { overlookedPools, setAsideOverlooked } from "@/lib/program/code-requests/overlooked";
import { quarantineBatch } from "@/lib/program/codes/batch-state";
import { joinUids } from "@/lib/program/end-users/join";
import { endPlaces, setAside } from "@/lib/program/line/line";
import { updateReferrerStatus } from "@/lib/program/referrers/update";
import { stockOf } from "@/lib/program/stats/stock";
import { copyCampaign } from "@/lib/testing/campaigns";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember } from "@/lib/testing/support";
import { makeBatch } from "@/lib/testing/tenant";

useService();

/** Referees in line for an empty pool, in the order of `uids`. */
async function lineOf(...uids: string[]) {
  const { tenant, api, metacode } = await referringTenant({ codes: 0 });
  const ctx = asTeamMember(tenant.ctx);
  const poolId = tenant.pools.ios.referee;
  const redeem = async (uid: string) => (await api.redeem(uid, metacode)).status;
  const places = () =>
    ctx.db.orm
      .select()
      .from(refereesInLine)
      .where(eq(refereesInLine.appId, ctx.app.id))
      .orderBy(asc(refereesInLine.place));
  const line = async () => (await places()).map(({ refereeUid }) => refereeUid);
  /** The referees for whom a code is set aside now. */
  const reserved = async () =>
    (await places()).flatMap(({ refereeUid, reservedUntil }) =>
      reservedUntil && reservedUntil > new Date() ? [refereeUid] : [],
    );
  const join = (uid: string, otherUid: string) =>
    joinUids(ctx, { uid, otherUid, reason: "Reinstalled", keepApart: "true" });
  const add = async (size: number, offer: string | null = null) => {
    await makeBatch(ctx, poolId, "ios", { size, offer });
    return setAside(ctx, poolId);
  };
  for (const uid of uids) expect(await redeem(uid)).toBe(503);
  return { tenant, api, metacode, ctx, poolId, redeem, places, line, reserved, join, add };
}

/** A referee in line for two campaigns that share an App Store pool. */
async function inTwoLines() {
  const app = await lineOf("ada");
  const second = await copyCampaign(app.tenant, { type: "influencer" });
  const [place] = await app.places();
  if (!place) throw new Error("the line is empty");
  await app.ctx.db.orm.insert(refereesInLine).values({ ...place, campaignId: second, place: uuidv7() });
  const campaigns = async () =>
    (await app.places()).flatMap(({ codeId, campaignId }) => (codeId ? [campaignId] : []));
  return { ...app, campaigns, first: app.tenant.campaignId, second };
}

test("an offer is set aside once for a referee in the lines of two campaigns, and again once that time is over", async () => {
  const { ctx, add, poolId, campaigns, first, second } = await inTwoLines();
  expect(await add(5, "spring")).toBe(1);
  expect(await campaigns()).toEqual([first]);
  expect(await overlookedPools(ctx)).toEqual([]);
  await ctx.db.orm
    .update(refereesInLine)
    .set({ reservedUntil: sql`now()` })
    .where(eq(refereesInLine.campaignId, first));
  await endPlaces(ctx);
  expect(await campaigns()).toEqual([second]);
  expect(await setAside(ctx, poolId)).toBe(0);
});

test("another offer, or codes without one, are set aside for each of a referee's campaigns", async () => {
  for (const offer of ["summer", null]) {
    const { ctx, add, campaigns, first, second } = await inTwoLines();
    expect(await add(1, "spring")).toBe(1);
    expect(await add(1, offer)).toBe(1);
    expect((await campaigns()).sort()).toEqual([first, second].sort());
    expect(await ctx.db.orm.$count(offerTakers, eq(offerTakers.appId, ctx.app.id))).toBe(0);
  }
});

test("two codes of an offer are set aside for a referee's two campaigns where the pool repeats offers", async () => {
  const { ctx, add, campaigns } = await inTwoLines();
  await ctx.db.orm.update(pools).set({ platform: "android" }).where(eq(pools.appId, ctx.app.id));
  expect(await add(2, "spring")).toBe(2);
  expect(await campaigns()).toHaveLength(2);
});

test("ids that are joined while one of them redeems keep one place, and one code is set aside for them", async () => {
  const { ctx, metacode, line, reserved, join, add, redeem } = await lineOf("old");
  await ctx.db.transaction(async ({ orm }) => {
    await orm.execute(sql`select redeem_metacode(
      ${ctx.app.id}, ${metacode}, 'ios', 'new', new_id(), null, null, null, null, null, 0, 0)`);
    await join("old", "new");
  });
  expect(await redeem("ben")).toBe(503);
  expect(await line()).toEqual(["old", "new", "ben"]);
  expect(await add(2)).toBe(2);
  expect([await reserved(), await line()]).toEqual([
    ["old", "ben"],
    ["old", "ben"],
  ]);
  expect([await redeem("new"), await line()]).toEqual([200, ["ben"]]);
});

test("of two places of ids that a provider joins the earlier one gets the code, and the other ends", async () => {
  const { ctx, line, reserved, add } = await lineOf("ada", "old", "ben", "new", "eve");
  // As by a provider's alias event.
  const link = { appId: ctx.app.id, fromUid: "old", toUid: "new", type: "ALIAS", eventId: uuidv7() };
  await ctx.db.orm.insert(identityLinks).values(link);
  await setAsideOverlooked(ctx);
  expect(await line()).toEqual(["ada", "old", "ben", "new", "eve"]);
  expect(await add(4)).toBe(4);
  expect([await reserved(), await line()]).toEqual([
    ["ada", "old", "ben", "eve"],
    ["ada", "old", "ben", "eve"],
  ]);
});

test("thousands of people with joined ids in line keep no check from setting codes aside", async () => {
  const { ctx, poolId, reserved, tenant } = await lineOf("ada");
  const { orm } = ctx.db;
  const ids = (prefix: string) => sql`select ${prefix} || n as uid from generate_series(1, 10000) n`;
  const [place] = await orm.select().from(refereesInLine).where(eq(refereesInLine.appId, ctx.app.id));
  for (const [prefix, code] of [
    ["behind-", sql`null::uuid`],
    ["ready-", sql`gen_random_uuid()`],
  ] as const) {
    await orm.execute(sql`
      insert into referees_in_line (app_id, campaign_id, referee_uid, platform, referrer_id, place, state, code_id, reserved_until)
      select ${ctx.app.id}, ${tenant.campaignId}, uid, 'ios', ${place?.referrerId}, new_id(), 'waiting', code, case when code is not null then now() + interval '1 day' end
        from (${ids(prefix)}) u, lateral (select ${code} as code where uid <> '') c`);
    await orm.execute(sql`
      insert into identity_links (app_id, from_uid, to_uid, type, event_id)
      select ${ctx.app.id}, '$RCAnonymousID:' || uid, uid, 'ALIAS', gen_random_uuid() from (${ids(prefix)}) u`);
  }
  await makeBatch(ctx, poolId, "ios", { size: 1 });
  await setAsideOverlooked(ctx);
  expect((await reserved()).filter((uid) => !uid.startsWith("ready-"))).toEqual(["ada"]);
});

test("the later place of a person has the code where the referrer of the earlier one is paused", async () => {
  const { ctx, api, poolId, reserved, line } = await lineOf("old");
  const { metacode } = (await api.referrer("eve")).body;
  expect((await api.redeem("new", metacode)).status).toBe(503);
  const link = { appId: ctx.app.id, fromUid: "old", toUid: "new", type: "ALIAS", eventId: uuidv7() };
  await ctx.db.orm.insert(identityLinks).values(link);
  await updateReferrerStatus(ctx, (await api.referrer("ann")).body.referrer_id, "paused");
  await makeBatch(ctx, poolId, "ios", { size: 2 });
  await setAsideOverlooked(ctx);
  expect([await reserved(), await line()]).toEqual([["new"], ["old", "new"]]);
  // The referrer is active again.
  await updateReferrerStatus(ctx, (await api.referrer("ann")).body.referrer_id, "active");
  expect([await reserved(), await line()]).toEqual([["new"], ["new"]]);
});

test("a join by hand, too, keeps the later place where the referrer of the earlier one is paused", async () => {
  const { ctx, api, line, reserved, join, add } = await lineOf("old");
  const { metacode } = (await api.referrer("eve")).body;
  expect((await api.redeem("new", metacode)).status).toBe(503);
  await updateReferrerStatus(ctx, (await api.referrer("ann")).body.referrer_id, "paused");
  await join("new", "old");
  expect(await line()).toEqual(["old", "new"]);
  await add(2);
  expect(await reserved()).toEqual(["new"]);
});

test.each(["a member", "a provider"])(
  "a person whose ids %s joins waits on both platforms of their places, and gets one code",
  async (joined) => {
    const { tenant, ctx, api, metacode, line, reserved, join, add } = await lineOf();
    expect((await api.redeem("old", metacode, "android")).status).toBe(503);
    expect((await api.redeem("new", metacode)).status).toBe(503);
    const link = { appId: ctx.app.id, fromUid: "old", toUid: "new", type: "ALIAS", eventId: uuidv7() };
    if (joined === "a member") await join("old", "new");
    else await ctx.db.orm.insert(identityLinks).values(link);
    expect([await add(1), await reserved()]).toEqual([1, ["new"]]);
    await makeBatch(ctx, tenant.pools.android.referee, "android", { size: 1 });
    expect(await setAside(ctx, tenant.pools.android.referee)).toBe(0);
    expect(await line()).toEqual(["new"]);
  },
);

test("of two codes that are set aside for one person the later one goes to the next", async () => {
  const { ctx, line, reserved, join, add } = await lineOf("old", "new", "ben");
  expect(await add(2)).toBe(2);
  await join("new", "old");
  expect(await reserved()).toEqual(["old"]);
  await endPlaces(ctx);
  expect([await line(), await reserved()]).toEqual([
    ["old", "ben"],
    ["old", "ben"],
  ]);
});

test("of two codes that are set aside for ids of one person by a provider the later one goes to the next look", async () => {
  const { ctx, reserved, add } = await lineOf("old", "new");
  expect(await add(2)).toBe(2);
  const link = { appId: ctx.app.id, fromUid: "old", toUid: "new", type: "ALIAS", eventId: uuidv7() };
  await ctx.db.orm.insert(identityLinks).values(link);
  await setAsideOverlooked(ctx);
  expect(await reserved()).toEqual(["old"]);
  expect(await ctx.db.orm.$count(batches, eq(batches.appId, ctx.app.id))).toBe(1);
});

test("an id that is joined with one whose time for a code is over keeps its place and gets the code", async () => {
  const { ctx, reserved, join, add } = await lineOf("old", "new");
  expect(await add(1)).toBe(1);
  const own = eq(refereesInLine.appId, ctx.app.id);
  await ctx.db.orm
    .update(refereesInLine)
    .set({ reservedUntil: sql`now()` })
    .where(and(own, eq(refereesInLine.refereeUid, "old")));
  await join("new", "old");
  await endPlaces(ctx);
  expect(await reserved()).toEqual(["new"]);
});

test("no code is announced for a person who got one under a joined id since the place", async () => {
  const { tenant, ctx, api, metacode, poolId, reserved, line, join, add } = await lineOf("old", "ben");
  await makeBatch(ctx, tenant.pools.android.referee, "android", { size: 1 });
  expect((await api.redeem("new", metacode, "android")).status).toBe(200);
  await join("new", "old");
  expect(await add(2)).toBe(1);
  expect([await reserved(), await line()]).toEqual([["ben"], ["ben"]]);
  expect(await overlookedPools(ctx)).toEqual([]);
  // A code from before the place is not the one that the person waits for.
  const { metacode: other } = (await api.referrer("eve")).body;
  await ctx.db.orm.update(batches).set({ state: "quarantined" }).where(eq(batches.poolId, poolId));
  expect((await api.redeem("old", other)).status).toBe(503);
  expect(await add(1)).toBe(1);
  expect(await reserved()).toEqual(expect.arrayContaining(["old"]));
});

test("codes that are set aside are counted apart from free ones, also once the batch is withdrawn", async () => {
  const { ctx, poolId, reserved, add } = await lineOf("ada", "ben");
  await add(3);
  expect(await reserved()).toEqual(["ada", "ben"]);
  const figures = async () => {
    const pool = (await stockOf(ctx)).find(({ id }) => id === poolId);
    return [pool?.reserved, pool?.free, pool?.quarantined, pool?.batches[0]?.reserved];
  };
  expect(await figures()).toEqual([2, 1, 0, 2]);
  const [batch] = await ctx.db.orm.select().from(batches).where(eq(batches.appId, ctx.app.id));
  await quarantineBatch(ctx, batch?.id ?? "");
  expect(await figures()).toEqual([0, 0, 3, 0]);
});
