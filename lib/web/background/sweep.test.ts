import { sql } from "drizzle-orm";
import type { QueryResult } from "pg";
import { uuidv7 } from "uuidv7";
import { expect, onTestFinished, test, vi } from "vitest";
import { database } from "@/lib/platform/db/client";
import { firstIdAt } from "@/lib/platform/db/index-ranges";
import { forgetSingleton } from "@/lib/platform/singleton";
import { clientOf } from "@/lib/testing/client";
import { sweepOnce } from "@/lib/testing/rounds";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { appRounds } from "@/lib/web/background/rounds";
import { sweepInstallation } from "@/lib/web/background/sweep";

useService();

const NOW = new Date("2026-06-15T12:00:00Z");
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ago = (age: number) => new Date(NOW.getTime() - age);

/** A UUIDv7 of that age. */
const idOf = (age: number) => firstIdAt(ago(age)).slice(0, 14) + uuidv7().slice(14);

async function count(table: string, appId?: string): Promise<number> {
  const where = appId ? sql`where app_id = ${appId}` : sql``;
  const { rows } = await database().orm.execute<{ count: string }>(
    sql`select count(*) from ${sql.identifier(table)} ${where}`,
  );
  return Number(rows[0]?.count);
}

type Insert = (appId: string, age: number) => Promise<unknown>;

const run = (statement: ReturnType<typeof sql>) => database().orm.execute(statement);

const TABLES: [string, number, Insert][] = [
  [
    "idempotency_keys",
    24 * HOUR,
    (app, age) =>
      run(
        sql`insert into idempotency_keys values (${app}, 'redeem', ${uuidv7()}, '\\x00', '{}', ${ago(age)})`,
      ),
  ],
  [
    "clicks",
    90 * DAY,
    (app, age) =>
      run(sql`insert into clicks values (${app}, ${idOf(age)}, ${uuidv7()}, '\\x00', ${ago(age)})`),
  ],
  [
    "provider_events",
    90 * DAY,
    (app, age) =>
      run(sql`insert into provider_events (app_id, id, connection_id, event_id, type, uids, confirmation, verdict, payload, created_at)
            values (${app}, ${idOf(age)}, ${uuidv7()}, ${uuidv7()}, 'X', '{}', '{}', 'ignored', '{}', ${ago(age)})`),
  ],
  [
    "request_log",
    7 * DAY,
    (app, age) =>
      run(sql`insert into request_log (app_id, id, key_id, method, path, status, micros, created_at)
            values (${app}, ${idOf(age)}, ${uuidv7()}, 'GET', '/', 200, 1, ${ago(age)})`),
  ],
  [
    "request_subjects",
    7 * DAY,
    (app, age) =>
      run(sql`insert into request_subjects (app_id, id, uid, created_at)
            values (${app}, ${idOf(age)}, 'ben', ${ago(age)})`),
  ],
  [
    "webhook_deliveries",
    30 * DAY,
    (app, age) =>
      run(sql`insert into webhook_deliveries (app_id, id, endpoint_id, event_id, event_type, status, created_at)
            values (${app}, ${idOf(age)}, ${uuidv7()}, ${uuidv7()}, 'webhook.test', 'dead', ${ago(age)})`),
  ],
  [
    "webhook_attempts",
    30 * DAY,
    (app, age) =>
      run(sql`insert into webhook_attempts (app_id, delivery_id, number, ms, request_headers)
            values (${app}, ${idOf(age)}, 1, 1, '{}')`),
  ],
  [
    "outbox",
    7 * DAY,
    (app, age) =>
      run(sql`insert into outbox values (${app}, ${idOf(age)}, 'webhook.test', '{}', ${ago(age)})`),
  ],
];

/** Marks all events before a time as rolled up. */
const rolledUp = (appId: string, until = NOW) =>
  run(sql`insert into rollup_cursors values (${appId}, ${firstIdAt(until)}, now())`);

test("an event that is not in the figures yet stays, however old it is", async () => {
  const { ctx } = await makeTenant();
  const event = TABLES.find(([table]) => table === "outbox")?.[2];
  for (const age of [8, 9, 10]) await event?.(ctx.app.id, age * DAY);
  await sweepOnce(database(), NOW);
  expect(await count("outbox", ctx.app.id)).toBe(3);
  await rolledUp(ctx.app.id, ago(8.5 * DAY));
  await sweepOnce(database(), NOW);
  expect(await count("outbox", ctx.app.id)).toBe(1);
});

test.each(TABLES)("%s keeps rows within its retention only", async (table, limit, insert) => {
  const { ctx } = await makeTenant();
  await rolledUp(ctx.app.id);
  await insert(ctx.app.id, limit - HOUR);
  await insert(ctx.app.id, limit + HOUR);
  await sweepOnce(database(), NOW);
  expect(await count(table, ctx.app.id)).toBe(1);
  await sweepOnce(database(), new Date(NOW.getTime() + 2 * HOUR));
  expect(await count(table, ctx.app.id)).toBe(0);
});

test("the request log of an app, with the people whom it names, is stored for the time that its owner chose", async () => {
  const { ctx } = await makeTenant({ app: { requestLogDays: 3 } });
  const tables = ["request_log", "request_subjects"];
  for (const [table, , insert] of TABLES)
    if (tables.includes(table)) for (const days of [2, 4]) await insert(ctx.app.id, days * DAY);
  await sweepOnce(database(), NOW);
  for (const table of tables) expect([table, await count(table, ctx.app.id)]).toEqual([table, 1]);
});

test("a provider's payload is stored for the time that the owner chose, the fields read from it for at least 90 days", async () => {
  const sent = (app: string, age: number) =>
    run(sql`insert into provider_events (app_id, id, connection_id, event_id, type, uids, confirmation, verdict, payload, created_at)
      values (${app}, ${idOf(age)}, ${uuidv7()}, ${uuidv7()}, 'X', '{eve}', '{"kind": "confirm"}', 'confirmed', '{"sent": 1}', ${ago(age)})`);
  const left = async (app: string) => {
    const { rows } = await run(
      sql`select uids, confirmation, payload from provider_events where app_id = ${app} order by id desc`,
    );
    return rows;
  };
  const read = { uids: ["eve"], confirmation: { kind: "confirm" } };
  const { ctx: short } = await makeTenant({ app: { payloadDays: 3 } });
  const { ctx: long } = await makeTenant({ app: { payloadDays: 120 } });
  for (const days of [2, 4, 100]) await sent(short.app.id, days * DAY);
  for (const days of [100, 121]) await sent(long.app.id, days * DAY);
  await sweepOnce(database(), NOW);
  expect(await left(short.app.id)).toEqual([
    { ...read, payload: { sent: 1 } },
    { ...read, payload: {} },
  ]);
  expect(await left(long.app.id)).toEqual([{ ...read, payload: { sent: 1 } }]);
  await sweepOnce(database(), new Date(NOW.getTime() + 2 * DAY));
  expect((await left(short.app.id)).map(({ payload }) => payload)).toEqual([{}, {}]);
});

test("a key's daily counts are deleted after 400 days", async () => {
  const { ctx } = await makeTenant();
  for (const day of ["2025-05-10", "2025-05-11", "2026-06-15"]) {
    await run(sql`insert into key_usage_days values (${ctx.app.id}, ${uuidv7()}, ${day}, 1, 0, 0)`);
  }
  await sweepOnce(database(), NOW);
  const { rows } = await run(
    sql`select day::text from key_usage_days where app_id = ${ctx.app.id} order by day`,
  );
  expect(rows.map((row) => row.day)).toEqual(["2025-05-11", "2026-06-15"]);
});

test("deletes thousands of rows in bounded statements, for every app", async () => {
  const [first, second] = [await makeTenant(), await makeTenant()];
  for (const { ctx } of [first, second]) {
    await rolledUp(ctx.app.id);
    await run(sql`insert into clicks
      select ${ctx.app.id}, gen_random_uuid(), gen_random_uuid(), '\\x00', ${ago(100 * DAY)}::timestamptz from generate_series(1, 10)`);
    await run(sql`insert into outbox
      select ${ctx.app.id}, (substr(${firstIdAt(ago(8 * DAY))}, 1, 19) || substr(gen_random_uuid()::text, 20))::uuid, 'x', '{}', ${ago(8 * DAY)}::timestamptz
        from generate_series(1, 2500)`);
  }
  const query = vi.spyOn(database().pool, "query");
  await sweepOnce(database(), NOW);
  const results = (await Promise.all(
    query.mock.results.map(({ value }) => value),
  )) as unknown as QueryResult[];
  const sizes = results.filter(({ command }) => command === "DELETE").map(({ rowCount }) => rowCount ?? 0);
  query.mockRestore();
  expect(Math.max(...sizes)).toBe(1_000);
  expect(await count("outbox", first.ctx.app.id)).toBe(0);
  expect(await count("outbox", second.ctx.app.id)).toBe(0);
});

test("a day's salt is deleted before it is two days old, a month's quota after two years", async () => {
  const workspace = uuidv7();
  for (const day of ["2026-06-12", "2026-06-13", "2026-06-14", "2026-06-15"]) {
    await run(sql`insert into visitor_salts values (${day}, '\\x00')`);
  }
  for (const month of ["2024-05-01", "2024-06-01", "2026-06-01"]) {
    await run(sql`insert into quota_usage values (${workspace}, ${month}, 1)`);
  }
  const salts = async (now: Date) => {
    await sweepOnce(database(), now);
    const { rows } = await run(sql`select day::text from visitor_salts order by day`);
    return rows.map((row) => row.day);
  };
  // The round of the last hour deletes the salt of the day before.
  expect(await salts(new Date("2026-06-14T22:59:59Z"))).toEqual(["2026-06-13", "2026-06-14", "2026-06-15"]);
  expect(await salts(new Date("2026-06-14T23:00:00Z"))).toEqual(["2026-06-14", "2026-06-15"]);
  expect(await salts(NOW)).toEqual(["2026-06-14", "2026-06-15"]);
  const months = await run(
    sql`select month::text from quota_usage where workspace_id = ${workspace} order by month`,
  );
  expect(months.rows.map((row) => row.month)).toEqual(["2024-06-01", "2026-06-01"]);
});

test("frees reservations that were not used for a day, and no other metacode", async () => {
  const { ctx, key } = await makeTenant();
  const { metacode } = (await clientOf(key).referrer("ann")).body;
  const reserve = (slug: string, age: number) =>
    run(sql`insert into slug_directory values (${slug}, ${ctx.app.id}, ${uuidv7()}, ${ago(age)})`);
  await run(sql`update slug_directory set created_at = ${ago(2 * DAY)} where slug = ${metacode}`);
  await reserve("oldone", 25 * HOUR);
  await reserve("youngone", 23 * HOUR);
  await run(sql`insert into slug_directory
    select 'bulk' || n, ${ctx.app.id}, gen_random_uuid(), ${ago(3 * DAY)}::timestamptz + interval '123 microseconds'
      from generate_series(1, 2500) n`);
  forgetSingleton("retention.slugs");
  expect(await sweepOnce(database(), NOW)).toBe(2_501);
  const left = await run(sql`select slug from slug_directory where app_id = ${ctx.app.id}`);
  expect(left.rows.map((row) => row.slug).sort()).toEqual([metacode, "youngone"].sort());
  expect(await sweepOnce(database(), new Date(NOW.getTime() + 2 * HOUR))).toBe(1);
});

test("a machine whose clock is years ahead deletes nothing early", async () => {
  const { ctx } = await makeTenant();
  const appId = ctx.app.id;
  await run(sql`insert into clicks values (${appId}, ${uuidv7()}, ${uuidv7()}, '\\x00', now())`);
  const workspace = uuidv7();
  await run(sql`insert into quota_usage values (${workspace}, date_trunc('month', now())::date, 1)`);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_000 * DAY });
  onTestFinished(() => void vi.useRealTimers());
  await sweepInstallation(database());
  const round = { appId, name: "retention of an app", lease: uuidv7(), seenAt: null };
  await appRounds(database())["retention of an app"](round);
  expect(await count("clicks", appId)).toBe(1);
  expect((await run(sql`select from quota_usage where workspace_id = ${workspace}`)).rowCount).toBe(1);
});

test("two processes may sweep at once", async () => {
  const { ctx } = await makeTenant();
  for (let index = 0; index < 50; index += 1) await TABLES[0]?.[2](ctx.app.id, 2 * DAY);
  await Promise.all([sweepOnce(database(), NOW), sweepOnce(database(), NOW)]);
  expect(await count("idempotency_keys", ctx.app.id)).toBe(0);
});
