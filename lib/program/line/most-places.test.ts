import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { apps, codes, refereesInLine, referrals, referrers } from "@/lib/platform/db/schema";
import { joinUids } from "@/lib/program/end-users/join";
import { onCluster } from "@/lib/testing/database/cluster";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { makeBatch } from "@/lib/testing/tenant";
import { endAllPlaces, endPlaces, renewReservations, setAsideFor, takeExpiringBack } from "./line";

useService();

test.each([
  ["a hundred referees of one referrer", 100, false],
  ["ten thousand of an influencer", 10_000, true],
])("%s have a place in line, and no more", async (_, most, influencer) => {
  const { tenant, api, metacode } = await referringTenant({ codes: 0 });
  const { ctx, campaignId } = tenant;
  if (influencer)
    await ctx.db.orm.update(referrers).set({ campaignId }).where(eq(referrers.appId, ctx.app.id));
  await ctx.db.orm.execute(sql`
    insert into referees_in_line (app_id, campaign_id, referee_uid, platform, referrer_id, place)
    select app_id, ${campaignId}::uuid, 'early-' || n, 'ios', id, new_id()
      from referrers, generate_series(1, ${most - 1}) n where app_id = ${ctx.app.id}`);
  const redeem = async (uid: string) => {
    expect((await api.redeem(uid, metacode)).body.error.code).toBe("NO_CODES_AVAILABLE");
    return ctx.db.orm.$count(refereesInLine, eq(refereesInLine.appId, ctx.app.id));
  };
  expect(await redeem("last")).toBe(most);
  expect(await redeem("one more")).toBe(most);
});

test("a referrer with as many referees in line as one may bring gets none from another referrer", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 0, app: { referrerDailyCap: 1 } });
  const { metacode: eve } = (await api.referrer("eve")).body;
  for (const [uid, code] of [
    ["ada", metacode],
    ["ben", eve],
    ["ben", metacode],
    ["cem", eve],
  ] as const)
    expect((await api.redeem(uid, code)).status).toBe(503);
  const rows = await tenant.ctx.db.orm
    .select()
    .from(refereesInLine)
    .where(eq(refereesInLine.appId, tenant.ctx.app.id))
    .orderBy(asc(refereesInLine.place));
  expect(rows.map(({ refereeUid }) => refereeUid)).toEqual(["ada", "ben"]);
  expect(new Set(rows.map(({ referrerId }) => referrerId)).size).toBe(2);
});

test("nor does such a referrer get the place of another referrer's referee under a joined id", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 0, app: { referrerDailyCap: 1 } });
  const { ctx } = tenant;
  const eve = (await api.referrer("eve")).body;
  expect((await api.redeem("ada", metacode)).status).toBe(503);
  expect((await api.redeem("ben", eve.metacode)).status).toBe(503);
  await joinUids(ctx, { uid: "ben", otherUid: "ben-2", reason: "Reinstalled", keepApart: "true" });
  expect((await api.redeem("ben-2", metacode)).status).toBe(503);
  const own = and(eq(refereesInLine.appId, ctx.app.id), eq(refereesInLine.referrerId, eve.referrer_id));
  const [place, ...others] = await ctx.db.orm.select().from(refereesInLine).where(own);
  expect([place?.refereeUid, others]).toEqual(["ben-2", []]);
});

test("held referees join the line of an app that no longer holds redeems as long as their referrer may bring more", async () => {
  const limits = { referrerDailyCap: 1, reviewsBeyondCaps: true };
  const { tenant, api, metacode } = await referringTenant({ codes: 1, app: limits });
  const { ctx } = tenant;
  expect((await api.redeem("friend", metacode)).status).toBe(200);
  const redeem = async (uid: string) => expect((await api.redeem(uid, metacode)).status).toBe(503);
  for (const uid of ["ada", "ben", "cem"]) await redeem(uid);
  await ctx.db.orm.update(apps).set({ reviewsBeyondCaps: false }).where(eq(apps.id, ctx.app.id));
  const longAgo = { createdAt: sql`now() - interval '2 days'` };
  await ctx.db.orm.update(referrals).set(longAgo).where(eq(referrals.appId, ctx.app.id));
  await joinUids(ctx, { uid: "cem", otherUid: "cem-2", reason: "Reinstalled", keepApart: "true" });
  for (const uid of ["ada", "ben", "cem-2", "ada"]) await redeem(uid);
  const { appId, refereeUid, state, place } = refereesInLine;
  const own = ctx.db.orm.select({ refereeUid, state }).from(refereesInLine).where(eq(appId, ctx.app.id));
  const left = [
    { refereeUid: "ada", state: "waiting" },
    { refereeUid: "ben", state: "review" },
    { refereeUid: "cem-2", state: "review" },
  ];
  expect(await own.orderBy(asc(place))).toEqual(left);
});

test("the free codes of a pool are set aside in transactions of 100, and one round ends all places that are over", async () => {
  const { tenant, api } = await referringTenant({ codes: 101 });
  const { ctx, campaignId } = tenant;
  await api.referrer("ann");
  await ctx.db.orm.execute(sql`
    insert into referees_in_line (app_id, campaign_id, referee_uid, platform, referrer_id, place)
    select app_id, ${campaignId}::uuid, 'early-' || n, 'ios', min(id::text)::uuid, new_id()
      from referrers, generate_series(1, 101) n where app_id = ${ctx.app.id} group by app_id, n`);
  await setAsideFor(ctx, campaignId);
  const reserved = and(eq(codes.appId, ctx.app.id), eq(codes.status, "reserved"));
  const rows = await ctx.db.orm.select({ by: sql`xmin::text` }).from(codes).where(reserved);
  expect([rows.length, new Set(rows.map(({ by }) => by)).size]).toEqual([101, 2]);
  await ctx.db.orm.execute(
    sql`update referees_in_line set reserved_until = now() where app_id = ${ctx.app.id} and code_id is not null`,
  );
  await endAllPlaces(ctx);
  expect(await ctx.db.orm.$count(codes, reserved)).toBe(0);
});

test("a code whose time is over is freed in the same round as many places of 30 days without one", async () => {
  const { tenant, api } = await referringTenant({ codes: 1 });
  const { ctx, campaignId } = tenant;
  await api.referrer("ann");
  await ctx.db.orm.execute(sql`
    insert into referees_in_line (app_id, campaign_id, referee_uid, platform, referrer_id, place, created_at)
    select app_id, ${campaignId}::uuid, 'early-' || n, 'ios', id, new_id(), now() - interval '31 days' * (n < 101)::int
      from referrers, generate_series(1, 101) n where app_id = ${ctx.app.id}`);
  await setAsideFor(ctx, campaignId);
  await ctx.db.orm
    .update(refereesInLine)
    .set({ reservedUntil: sql`now()` })
    .where(and(eq(refereesInLine.appId, ctx.app.id), isNotNull(refereesInLine.codeId)));
  await endAllPlaces(ctx);
  const reserved = and(eq(codes.appId, ctx.app.id), eq(codes.status, "reserved"));
  expect(await ctx.db.orm.$count(codes, reserved)).toBe(0);
});

test.skipIf(onCluster()).each([
  ["is restarted while places are ended keeps its code", endPlaces, false],
  ["begins with another code while codes are taken back keeps that one", takeExpiringBack, true],
] as const)("a place whose time %s (a cluster locks all places at once)", async (_, run, expiring) => {
  const { tenant, api } = await referringTenant({ codes: 12 });
  const { ctx, campaignId, pools } = tenant;
  const app = ctx.app.id;
  await api.referrer("ann");
  const join = async (uid: string, count: number) => {
    await ctx.db.orm.execute(sql`
      insert into referees_in_line (app_id, campaign_id, referee_uid, platform, referrer_id, place)
      select app_id, ${campaignId}::uuid, ${uid} || n, 'ios', id, new_id()
        from referrers, generate_series(1, ${count}::int) n where app_id = ${app}`);
    await setAsideFor(ctx, campaignId);
  };
  await join("early-", 12);
  await makeBatch(ctx, pools.ios.referee, "ios", { size: 1 });
  await join("late-", 1);
  if (expiring) {
    await ctx.db.orm.execute(sql`update batches set expires_at = now() where app_id = ${app}`);
    await makeBatch(ctx, pools.ios.referee, "ios", { size: 1 });
  }
  await ctx.db.orm.execute(sql`
    update referees_in_line set reserved_until = now()
     where app_id = ${app} and (not ${expiring} or referee_uid like 'late-%')`);
  const ofApp = and(eq(refereesInLine.appId, app), isNotNull(refereesInLine.codeId));
  const first = expiring ? refereesInLine.codeId : refereesInLine.place;
  const [held] = await ctx.db.orm.select().from(refereesInLine).where(ofApp).orderBy(asc(first));
  let running: Promise<unknown> = Promise.resolve();
  await ctx.db.transaction(async ({ orm }) => {
    await orm.execute(sql`select from codes where app_id = ${app} and id = ${held?.codeId} for update`);
    // Both read all places before they lock the later ones, and wait at the first.
    running = run(ctx, null);
    await vi.waitFor(async () => {
      const waits = sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      expect((await ctx.db.orm.execute(waits)).rows).toHaveLength(1);
    });
    if (expiring) await endPlaces(ctx);
    else await ctx.db.transaction((db) => renewReservations({ ...ctx, db }, { campaign: campaignId }));
  });
  await running;
  const left = await ctx.db.orm.select().from(refereesInLine).where(ofApp);
  expect(left.map(({ refereeUid }) => refereeUid)).toContain("late-1");
});
