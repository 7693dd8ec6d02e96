import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { detect } from "@/lib/outward/problems/detect";
import { openDatabase } from "@/lib/platform/db/client";
import { campaigns, offerTakers } from "@/lib/platform/db/schema";
import { overlookedPools } from "@/lib/program/code-requests/overlooked";
import { refillPools } from "@/lib/program/code-requests/refill";
import { updateRefillRule } from "@/lib/program/code-requests/refill-rules";
import { type AppleServer, startAppStoreConnect } from "@/lib/testing/app-store/server";
import { makeAppleTenant } from "@/lib/testing/app-store/tenant";
import { clientOf } from "@/lib/testing/client";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { makeBatch } from "@/lib/testing/tenant";
import { countInLine, setAside } from "./line";

useService({ AUTH_SECRET: "a".repeat(32), APP_URL: "http://localhost:3000" });

let apple: AppleServer;
beforeEach(async () => {
  apple = await startAppStoreConnect();
});
afterEach(() => apple.stop());

const SPENT = { codeBudget: 1, spentCodes: 1 };

test.each([
  ["is active", { status: "active" }, true],
  ["is paused", { status: "paused" }, false],
  ["has not begun", { startsAt: sql`now() + interval '1 hour'` }, false],
  ["has budget left", { ...SPENT, codeBudget: 2 }, true],
  ["has spent its budget", SPENT, false],
  ["has spent its budget and counts it again", { ...SPENT, recountAt: sql`now()` }, true],
] as const)(
  "a person in line of a campaign that %s waits, and all agree on whether they get a code now",
  async (_, set, gets) => {
    const { ctx, key, poolId, requests, campaignId } = await makeAppleTenant(apple);
    const api = clientOf(key);
    const { metacode } = (await api.referrer("ann")).body;
    expect((await api.redeem("ada", metacode)).status).toBe(503);
    const taken = { appId: ctx.app.id, platform: "ios", offer: "One month free", uid: "ada" } as const;
    await ctx.db.orm.insert(offerTakers).values(taken);
    await makeBatch(ctx, poolId, "ios", { size: 40, offer: "One month free" });
    const rule = { poolId, threshold: 5, amount: 20, quarterCap: 50, validDays: 90 };
    const offers = { offer: "subscription:offer1", laterOffers: ["subscription:offer3"] };
    await updateRefillRule(ctx, { ...rule, ...offers });
    await ctx.db.orm.update(campaigns).set(set).where(eq(campaigns.id, campaignId));
    expect((await countInLine(ctx)).get(poolId)).toBe(1);
    const needs = (await detect(ctx)).some(({ title }) => title.includes("in line needs"));
    await refillPools(ctx);
    const requested = (await requests()).some(({ offerName }) => offerName === "Half a year");
    await makeBatch(ctx, poolId, "ios", { size: 1, offer: "Half a year" });
    const overlooked = (await overlookedPools(ctx)).includes(poolId);
    expect([needs, requested, overlooked, await setAside(ctx, poolId)]).toEqual([
      gets,
      gets,
      gets,
      Number(gets),
    ]);
  },
);

test("no person waits, or needs another offer, in a campaign past its end that no round has ended yet", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 0 });
  const { ctx, campaignId, pools } = tenant;
  for (const uid of ["ada", "ben"]) expect((await api.redeem(uid, metacode)).status).toBe(503);
  await makeBatch(ctx, pools.ios.referee, "ios", { size: 40, offer: "Spring" });
  const taken = { appId: ctx.app.id, platform: "ios", offer: "Spring", uid: "ada" } as const;
  await ctx.db.orm.insert(offerTakers).values(taken);
  const answers = async () => {
    const needs = (await detect(ctx)).filter(({ title }) => title.includes("in line needs")).length;
    return [(await countInLine(ctx)).get(pools.ios.referee) ?? 0, needs, (await overlookedPools(ctx)).length];
  };
  expect(await answers()).toEqual([2, 1, 1]);
  await ctx.db.orm.update(campaigns).set({ endsAt: sql`now()` }).where(eq(campaigns.id, campaignId));
  expect(await answers()).toEqual([0, 0, 0]);
});

test("a long line is read in parts, by plans from the time when its app was one of many small ones", async () => {
  const { tenant, api } = await referringTenant({ codes: 0 });
  const { ctx, campaignId, pools } = tenant;
  const { referrer_id: ann } = (await api.referrer("ann")).body;
  const db = openDatabase({ url: process.env.DATABASE_URL ?? "", size: 1 });
  const pool = pools.ios.referee;
  const add = (apps: ReturnType<typeof sql>, count: number) =>
    db.orm.execute(sql`
      with a as (${apps}), line as (
        insert into referees_in_line (app_id, campaign_id, referee_uid, platform, referrer_id, place)
        select app, ${campaignId}, 'early-' || n, 'ios', ${ann}, new_id() from a, generate_series(1, ${count}::int) n)
      insert into referrals (app_id, campaign_id, referee_uid, id, referrer_id, platform)
      select app, ${campaignId}, 'friend-' || n, gen_random_uuid(), ${ann}, 'ios' from a, generate_series(1, ${count}::int) n`);
  for (const table of ["referees_in_line", "referrals"]) {
    await db.orm.execute(sql`alter table ${sql.identifier(table)} set (autovacuum_enabled = off)`);
  }
  await add(sql`select gen_random_uuid() as app from generate_series(1, 2000)`, 2);
  await db.orm.execute(sql`analyze referees_in_line, referrals`);
  const app = sql`${ctx.app.id}::uuid`;
  const steps = {
    count: sql`select count_in_line(${app}) as result`,
    setAside: sql`select set_aside(${app}, ${pool}, 500) as result`,
    endPlaces: sql`select end_places(${app}, 500) as result`,
  };
  const read = async () => {
    await db.orm.execute(sql`select pg_stat_force_next_flush()`);
    const { rows } = await db.orm.execute<{ read: string }>(sql`
      select sum(idx_tup_read) as read from pg_stat_user_indexes where relname in ('referees_in_line', 'referrals')`);
    return Number(rows[0]?.read);
  };
  const run = async (step: keyof typeof steps) => {
    const before = await read();
    const { rows } = await db.orm.execute<{ result: unknown }>(steps[step]);
    return [rows[0]?.result, (await read()) - before] as const;
  };
  await add(sql`select ${app} as app`, 1);
  for (let n = 0; n < 8; n++) for (const step of Object.keys(steps)) await run(step as keyof typeof steps);
  await db.orm.execute(sql`delete from referees_in_line where app_id = ${app}`);
  await db.orm.execute(sql`delete from referrals where app_id = ${app}`);
  await add(sql`select ${app} as app`, 3000);
  await makeBatch(ctx, pool, "ios", { size: 2 });
  const [counted, ofCount] = await run("count");
  expect([counted, ofCount < 10_000]).toEqual([{ [pool]: 3000 }, true]);
  const [reserved, ofSetAside] = await run("setAside");
  expect([reserved, ofSetAside < 500]).toEqual([2, true]);
  expect((await run("endPlaces"))[1]).toBeLessThan(100);
  await db.close();
});
