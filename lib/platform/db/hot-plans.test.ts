import { eq, type SQL, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { campaignRules } from "@/lib/contract/campaign";
import { type Db, openDatabase } from "@/lib/platform/db/client";
import { apps, batches, campaigns, codes, referrals, referrerProgress } from "@/lib/platform/db/schema";
import { GRANT_DUE } from "@/lib/program/campaigns/granting";
import { replacePlatforms } from "@/lib/program/campaigns/platforms";
import { findDoubtfulPools, voidFreeCodes } from "@/lib/program/codes/void-codes";
import { redeemMetacode } from "@/lib/program/referrals/redeem";
import { getOrCreateReferrer } from "@/lib/program/referrers/get-or-create";
import { applyEvent } from "@/lib/testing/confirm";
import { confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { useService } from "@/lib/testing/service";
import { makeBatch, makeTenant } from "@/lib/testing/tenant";

useService();

/** Rows of a table that were read so far, from the table itself and along its indexes. */
async function rowsRead(db: Db, table: string): Promise<number> {
  await db.orm.execute(sql`select pg_stat_force_next_flush()`);
  const { rows } = await db.orm.execute<{ read: string }>(
    sql`select t.seq_tup_read + sum(i.idx_tup_read) as read
          from pg_stat_user_tables t join pg_stat_user_indexes i using (relid)
         where t.relname = ${table} group by t.seq_tup_read`,
  );
  return Number(rows[0]?.read);
}

/** Prevents the server's own analysis, which would change the plans in the middle of a test. */
const withoutAnalysis = (db: Db, table: string) =>
  db.orm.execute(sql`alter table ${sql.identifier(table)} set (autovacuum_enabled = off)`);

/** Empties tables, and tells the planner. */
async function emptyTables(db: Db, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const table = sql.identifier(name);
    await withoutAnalysis(db, name);
    await db.orm.execute(sql`delete from ${table}`);
    await db.orm.execute(sql`vacuum analyze ${table}`);
  }
}

/** The rules against fraud that read `referrals`. */
const RULES: [name: string, set: Partial<typeof campaigns.$inferInsert>, cap: number | null][] = [
  ["without rules", {}, null],
  ["with a cap for each referrer", {}, 100],
  ["with the refusal of reciprocal referrals", { refuseReciprocal: true }, null],
];

test.each(RULES)(
  "a plan from the time when a table was empty does not read the whole table later: %s",
  async (_, rules, referrerDailyCap) => {
    const { ctx: setUp } = await makeTenant({ codes: 30 });
    await setUp.db.orm
      .update(campaigns)
      .set({ status: "active", ...rules })
      .where(eq(campaigns.appId, setUp.app.id));
    await setUp.db.orm.update(apps).set({ referrerDailyCap }).where(eq(apps.id, setUp.app.id));
    const { DATABASE_URL: url = "" } = process.env;
    // One connection, because plans belong to a connection; emptied and vacuumed, because the planner knows only then
    // that the tables are empty.
    const db = openDatabase({ url, size: 1 });
    await emptyTables(db, ["referrals", "identity_links"]);
    const ctx = { ...setUp, db };
    const metacodes: string[] = [];
    for (let n = 0; n < 20; n++)
      metacodes.push((await getOrCreateReferrer(ctx, { uid: `referrer-${n}` })).metacode);
    const before = await rowsRead(db, "referrals");
    for (const [n, metacode] of metacodes.entries()) {
      await redeemMetacode(ctx, {
        refereeUid: `referee-${n}`,
        metacode,
        platform: "ios",
        clickId: undefined,
      });
    }
    const after = await rowsRead(db, "referrals");
    expect(await db.orm.$count(referrals)).toBe(20);
    await db.close();
    expect(after - before).toBeLessThanOrEqual(20);
  },
);

/** Tables that a confirmation reads or writes by a key, or by an id of the person. */
const CONFIRMED = ["referrals", "provider_events", "waiting_uids", "identity_links", "codes"];

/** Events after which plans are made: the first, and the first purchases of referees, when many events are unmatched. */
const PLANNED_AT = [0, 100];

test.each(PLANNED_AT)(
  "plans of confirmations that are made after %i events read few rows later",
  async (planned) => {
    const db = openDatabase({ url: process.env.DATABASE_URL ?? "", size: 1 });
    const app = await confirmingApp(db, { threshold: 1_000 });
    await emptyTables(db, CONFIRMED);
    const at = Date.now();
    let received = 0;
    const receive = async (uid: string, kind: "confirm" | "reverse" = "confirm") => {
      if (received++ === planned) await db.orm.execute(sql`discard plans`);
      return applyEvent(app.ctx, uid, kind, { at, purchase: `purchase of ${uid}` });
    };
    for (let n = 0; n < 60; n++) expect(await receive(`stranger-${n}`)).toBe("unmatched");
    const uids = Array.from({ length: 60 }, (_, n) => `referee-${n}`);
    await app.assign(...uids);
    const read = async () => Promise.all(CONFIRMED.map((table) => rowsRead(db, table)));
    const before = await read();
    for (const uid of uids) {
      expect(await receive(uid)).toBe("confirmed");
      expect(await receive(uid)).toBe("already_confirmed");
      expect(await receive(uid, "reverse")).toBe("reversed");
    }
    const after = await read();
    await db.close();
    const each = CONFIRMED.map((table, n) => [
      table,
      ((after[n] ?? 0) - (before[n] ?? 0)) / (3 * uids.length),
    ]);
    expect(each.filter(([, rows]) => Number(rows) > 10)).toEqual([]);
  },
);

test("rewards that a change makes due are granted without reading all rows for each chunk", async () => {
  const tenant = await makeTenant({ threshold: 5 });
  const { ctx, campaignId } = tenant;
  const db = openDatabase({ url: process.env.DATABASE_URL ?? "", size: 1 });
  await withoutAnalysis(db, "referrer_progress");
  const key = { appId: ctx.app.id, campaignId, platform: "ios" as const };
  await db.orm
    .insert(referrerProgress)
    .values(Array.from({ length: 1_000 }, () => ({ ...key, referrerId: uuidv7(), confirmed: 4 })));
  const four = campaignRules.parse({ name: "Launch", platforms: { ios: { threshold: 4 } } }).platforms;
  await replacePlatforms(db, ctx.app.id, campaignId, four, new Set(["ios"]));
  const before = await rowsRead(db, "referrer_progress");
  for (let done = false; !done; ) {
    const args = { app: ctx.app.id, campaign: campaignId, platform: key.platform, limit: 100 };
    ({ done } = await db.call(GRANT_DUE, args));
  }
  const after = await rowsRead(db, "referrer_progress");
  await db.close();
  expect(after - before).toBeLessThanOrEqual(10_000);
});

test("a free code is found by plans from the time when few codes were left of many small apps", async () => {
  const { ctx } = await makeTenant({ codes: 1 });
  const db = openDatabase({ url: process.env.DATABASE_URL ?? "", size: 1 });
  const [batch] = await db.orm.select().from(batches).where(eq(batches.appId, ctx.app.id));
  const add = (apps: SQL, codes: number) =>
    db.orm.execute(sql`
      insert into codes (app_id, id, batch_id, platform, code, slot)
      select app, gen_random_uuid(), batch, 'ios', gen_random_uuid(), random() * 2147483646
        from (${apps}) a, generate_series(1, ${codes}::int)`);
  await withoutAnalysis(db, "codes");
  await db.orm.execute(sql`delete from codes`);
  await add(
    sql`select gen_random_uuid() as app, gen_random_uuid() as batch from generate_series(1, 2000)`,
    10,
  );
  await db.orm.execute(
    sql`update codes set status = 'void' where id <> all(array(select id from codes limit 4))`,
  );
  await db.orm.execute(sql`vacuum analyze codes`);
  const read = async () => {
    const { poolId = null } = batch ?? {};
    await db.orm.execute(sql`select lock_code(${ctx.app.id}, ${batch?.id})`);
    await db.orm.execute(sql`select await_code(${ctx.app.id}, ${batch?.id})`);
    await db.orm.execute(sql`select mark_drained(${ctx.app.id}, ${poolId}, ${batch?.id})`);
    await db.orm.execute(sql`select wait_reason(${ctx.app.id}, ${poolId}, 'ios', 'ann', interval '0')`);
    await db.orm.execute(
      sql`select claimable_codes(${ctx.app.id}, ${poolId}, 'ios', 'ann', interval '0', 5)`,
    );
    await db.orm.execute(sql`select batch_figures(${ctx.app.id}, 10)`);
  };
  await add(sql`select ${ctx.app.id}::uuid as app, ${batch?.id}::uuid as batch`, 1);
  for (let n = 0; n < 8; n++) await read();
  await add(sql`select ${ctx.app.id}::uuid as app, ${batch?.id}::uuid as batch`, 5_000);
  const before = await rowsRead(db, "codes");
  await read();
  const after = await rowsRead(db, "codes");
  await db.close();
  // The figures count up to 1,001 codes, and a claim of five looks at five.
  expect(after - before).toBeLessThan(1_100);
});

test("after a restore free codes are counted and voided without reading those that are used", async () => {
  const { ctx, pools } = await makeTenant({ codes: 0 });
  const db = openDatabase({ url: process.env.DATABASE_URL ?? "", size: 1 });
  await withoutAnalysis(db, "codes");
  for (let n = 0; n < 10; n++) await makeBatch(ctx, pools.ios.referee, "ios", { size: 2_000 });
  await db.orm.update(codes).set({ status: "void" }).where(eq(codes.appId, ctx.app.id));
  await db.orm.update(batches).set({ state: "drained" }).where(eq(batches.appId, ctx.app.id));
  await makeBatch(ctx, pools.ios.referee, "ios", { size: 12_000 });
  await db.orm.execute(sql`vacuum analyze codes`);
  const since = new Date(Date.now() + 60_000);
  const before = await rowsRead(db, "codes");
  const [pool, ...others] = await findDoubtfulPools(db, since, ctx.app.id);
  const counted = await rowsRead(db, "codes");
  expect(others).toEqual([]);
  expect(pool && (await voidFreeCodes(db, pool, since))).toBe(12_000);
  const after = await rowsRead(db, "codes");
  await db.close();
  expect(counted - before).toBeLessThan(13_000);
  // Each code is found as a free one, for several chunks while they are few, and by its key.
  expect(after - counted).toBeLessThan(40_000);
});

test("ended holds are found by plans from the time when few referrals of many small apps were held", async () => {
  const { ctx } = await makeTenant();
  const db = openDatabase({ url: process.env.DATABASE_URL ?? "", size: 1 });
  const add = (apps: SQL, count: number, held: boolean) =>
    db.orm.execute(sql`
      insert into referrals
        (app_id, campaign_id, referee_uid, id, referrer_id, platform, status, held, counts_from, confirmed_at)
      select app, app, gen_random_uuid(), gen_random_uuid(), app, 'ios', 'redeemed', ${held}, now(), now()
        from (${apps}) a, generate_series(1, ${count}::int)`);
  await withoutAnalysis(db, "referrals");
  await db.orm.execute(sql`delete from referrals`);
  await add(sql`select gen_random_uuid() as app from generate_series(1, 2000)`, 10, true);
  await db.orm.execute(
    sql`update referrals set held = false where id <> all(array(select id from referrals limit 4))`,
  );
  await db.orm.execute(sql`vacuum analyze referrals`);
  const end = () => db.orm.execute(sql`select lock_ended_holds(${ctx.app.id}, 10)`);
  for (let n = 0; n < 8; n++) await end();
  await add(sql`select ${ctx.app.id}::uuid as app`, 5_000, false);
  const before = await rowsRead(db, "referrals");
  await end();
  const after = await rowsRead(db, "referrals");
  await db.close();
  expect(after - before).toBeLessThan(10);
});

test("plans made while the line was empty still find the offers of joined ids quickly", async () => {
  const { ctx, pools } = await makeTenant({ codes: 0 });
  const db = openDatabase({ url: process.env.DATABASE_URL ?? "", size: 1 });
  await emptyTables(db, ["offer_takers", "referees_in_line"]);
  const app = sql`${ctx.app.id}::uuid`;
  const read = async () => {
    await db.orm.execute(sql`select offers_of(${app}, ${pools.ios.referee}, 'ios', '{ann,ben}')`);
    return [await rowsRead(db, "offer_takers"), await rowsRead(db, "referees_in_line")];
  };
  for (let n = 0; n < 8; n++) await read();
  await db.orm.execute(sql`with u as (select n from generate_series(1, 5000) n), taken as (
      insert into offer_takers select ${app}, 'ios', 'spring', n from u)
    insert into referees_in_line (app_id, campaign_id, referee_uid, platform, referrer_id, place, code_id, reserved_until)
    select ${app}, ${app}, n, 'ios', ${app}, new_id(), gen_random_uuid(), now() from u`);
  expect(await read()).toEqual(await read());
  await db.close();
});
