import { type SQL, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { providerProblems } from "@/lib/outward/problems/detect-providers";
import { type Db, openDatabase } from "@/lib/platform/db/client";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";

useService();

/** Two rows of each of 2,000 small apps, and 3,000 of a large one. */
const ROWS = `(
  select a.id as app, a.id as campaign, n::text as n
    from (select gen_random_uuid() as id from generate_series(1, 2000)) a, generate_series(1, 2) n
  union all select $app, $campaign, n::text from generate_series(1, 3000) n) r`;

const FILL = {
  referrals: `(app_id, campaign_id, referee_uid, id, referrer_id, platform)
    select app, campaign, n, gen_random_uuid(), gen_random_uuid(), 'ios' from ${ROWS}`,
  referees_in_line: `(app_id, campaign_id, referee_uid, platform, referrer_id, place, code_id, reserved_until)
    select app, campaign, n, 'ios', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now() from ${ROWS}`,
  offer_takers: `select app, 'ios', 'spring', n from ${ROWS}`,
  identity_links: `select app, n, 'joined ' || n, 'TRANSFER', gen_random_uuid() from ${ROWS}`,
};

/** Calls about the ids of one person, like those of redeems, confirmations, claims and lines. */
const CALLS = [
  "review($app, $campaign, 'ios', 'joined 7', $app, 'referrer_daily_cap', true, 'p')",
  "join_line($app, $campaign, 'ios', 'joined 8', $app, 100, 'p')",
  "has_other_place($app, $campaign, '{x,y}', $app, null, 'ios')",
  "refers_back($app, $app, 'x', $campaign, 'y', 'p', true)",
  "counts_in($app, $campaign, '{x,y}')",
  `follows_links($app, jsonb_populate_record(null::provider_events, '{"uids": ["x"], "confirmation": {"kind": "confirm"}}'), '{y}')`,
  "had_offer($app, 'ios' collate \"C\", 'spring', '{x,y}')",
  "offers_of($app, $pool, 'ios' collate \"C\", '{x,y}')",
  "wait_reason($app, $pool, 'ios' collate \"C\", 'joined 7', interval '0')",
];

/** The entries of indexes that the session has read, of one table or of all. */
const entriesRead = async ({ orm }: Db, table = "%") => {
  await orm.execute(sql`select pg_stat_force_next_flush()`);
  const { rows } = await orm.execute<{ read: string }>(
    sql`select sum(idx_tup_read) as read from pg_stat_user_indexes where relname like ${table}`,
  );
  return Number(rows[0]?.read);
};

test("plans for many small apps look up each id of a person by itself", async () => {
  const { ctx, campaignId, pools } = await makeTenant({ codes: 1, offer: "spring" });
  const db = openDatabase({ url: process.env.DATABASE_URL ?? "", size: 1 });
  const values: Record<string, string> = { app: ctx.app.id, campaign: campaignId, pool: pools.ios.referee };
  const run = (text: string) =>
    db.orm.execute(sql.raw(text.replace(/\$(\w+)/g, (_, name) => `'${values[name]}'::uuid`)));
  for (const [table, rows] of Object.entries(FILL)) {
    await run(`alter table ${table} set (autovacuum_enabled = off)`);
    await run(`insert into ${table} ${rows}`);
    await run(`vacuum analyze ${table}`);
  }
  await run("set plan_cache_mode = force_generic_plan");
  for (const call of CALLS) {
    const before = await entriesRead(db);
    await run(`select ${call}`);
    expect((await entriesRead(db)) - before, call).toBeLessThan(100);
  }
  await db.close();
});

test("the places in line are read without the other codes and referrals of the app", async () => {
  const { ctx, campaignId, pools } = await makeTenant({ codes: 2_000 });
  const db = openDatabase({ url: process.env.DATABASE_URL ?? "", size: 1 });
  const app = ctx.app.id;
  await db.orm.execute(sql`
    with taken as (update codes set status = 'reserved' where app_id = ${app} and id = any(array(
      select id from codes where app_id = ${app} and platform = 'ios' limit 800)) returning id)
    insert into referees_in_line (app_id, campaign_id, referee_uid, platform, referrer_id, place, code_id, reserved_until)
    select ${app}, ${campaignId}, id, 'ios', id, new_id(), id, now() + interval '1 hour' from taken`);
  await db.orm.execute(sql`
    insert into referrals (app_id, campaign_id, referee_uid, id, referrer_id, platform)
    select app_id, ${campaignId}, id::text || 'x', id, id, 'ios' from codes where app_id = ${app}`);
  for (const table of ["codes", "referees_in_line", "referrals"])
    await db.orm.execute(sql.raw(`vacuum analyze ${table}`));
  const readBy = async (call: SQL, table: string) => {
    const before = await entriesRead(db, table);
    await db.orm.execute(sql`select ${call}`);
    return (await entriesRead(db, table)) - before;
  };
  // The joins that the planner chooses for a large app.
  await db.orm.execute(sql`set enable_nestloop = off`);
  expect(await readBy(sql`end_taken_places(${app})`, "referrals")).toBeLessThan(3_000);
  expect(await readBy(sql`batch_figures(${app}, 100)`, "codes")).toBeLessThan(3_000);
  await db.orm.execute(sql`update batches set expires_at = now() where app_id = ${app}`);
  expect(await readBy(sql`take_back(${app}, null, true, null, 500)`, "codes")).toBeLessThan(3_000);
  // The refusal of a pool that nothing refills reads no campaign of the app.
  expect(await readBy(sql`expected_wait(${app}, ${pools.ios.referee}, 'no_codes', 'x')`, "campaigns")).toBe(
    0,
  );
  await db.close();
});

test("an app without unmatched events is checked without reading those of other apps", async () => {
  const { ctx } = await makeTenant();
  const db = openDatabase({ url: process.env.DATABASE_URL ?? "", size: 1 });
  await db.orm.execute(sql`alter table provider_events set (autovacuum_enabled = off)`);
  const app = sql`${ctx.app.id}::uuid`;
  for (const [id, verdict] of [
    [app, sql`'ignored'`],
    [sql`gen_random_uuid()`, sql`'unmatched'`],
  ])
    await db.orm.execute(sql`
      insert into provider_events (app_id, id, connection_id, event_id, type, uids, verdict, payload, confirmation)
      select ${id}, new_id(), ${app}, n, 'TEST', '{}', ${verdict}, '{}', '{}' from generate_series(1, 3000) n`);
  await db.orm.execute(sql`vacuum analyze provider_events`);
  const before = await entriesRead(db, "provider_events");
  await providerProblems({ ...ctx, db }, new Map(), []);
  expect((await entriesRead(db, "provider_events")) - before).toBeLessThan(10);
  await db.close();
});
