import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, inject, onTestFinished, test } from "vitest";
import { migrate } from "@/lib/platform/db/migrate";
import { connectForTransfer } from "@/lib/platform/transfer/connection";
import { filledTables } from "@/lib/platform/transfer/tables";
import { administer, databaseUrl } from "@/lib/testing/database/template";

const APP = "0198c0de-0000-7000-8000-000000000001";

/** The statements that move data, run again here on a database with data. */
const MOVE = readFileSync("drizzle/0018_background_work.sql", "utf8")
  .split("--> statement-breakpoint")
  .filter((statement) => /^\s*(--.*\n)?(UPDATE|DO)/.test(statement));

let name: string;
let url: string;
beforeEach(async () => {
  const server = inject("testServer");
  name = `${server.run}_${randomBytes(6).toString("hex")}`;
  await administer(server.url, `create database ${name}`);
  url = databaseUrl(server.url, name);
});
afterEach(() => administer(inject("testServer").url, `drop database ${name} with (force)`));

const tables = async () => {
  const rows = await administer(
    url,
    "select schemaname as name from pg_tables where schemaname in ('public', 'drizzle')",
  );
  return new Set(rows.map((row) => row.name));
};

test.each(["read committed", "repeatable read"])(
  "several servers that start at once on an empty database, by default %s, all come up",
  async (level) => {
    await administer(url, `alter database ${name} set default_transaction_isolation = '${level}'`);
    await Promise.all(Array.from({ length: 4 }, () => migrate(url)));
    expect(await tables()).toEqual(new Set(["public", "drizzle"]));
  },
);

test("a schema with capital letters in its name is migrated, migrated again and read as a whole", async () => {
  await administer(url, `create schema "MyApp"; alter database ${name} set search_path = "MyApp"`);
  await migrate(url);
  await migrate(url);
  await administer(url, "insert into visitor_salts (day, salt) values ('2026-01-01', '')");
  const client = await connectForTransfer(url, "source");
  expect(await filledTables(client).finally(() => client.end())).toEqual(["visitor_salts"]);
});

test("alerts and deliveries that waited for a former version's jobs are taken over; its other jobs stay", async () => {
  await migrate(url);
  await administer(
    url,
    `create schema graphile_worker;
     create table graphile_worker._private_tasks (id int primary key, identifier text);
     create table graphile_worker._private_jobs (id int, task_id int, payload json, attempts int, max_attempts int,
       locked_at timestamptz);
     insert into graphile_worker._private_tasks values (1, 'send_alert'), (2, 'somebody_elses');
     insert into graphile_worker._private_jobs values
       (1, 1, '{"appId": "${APP}", "channelId": "${APP}", "message": {"title": "a", "detail": "b", "url": "c"}}', 2, 9, null),
       (2, 2, '{}', 0, 25, null);
     insert into webhook_deliveries (app_id, id, endpoint_id, event_id, event_type, status, wake_at)
       values ('${APP}', '${APP}', '${APP}', '${APP}', 'pool.low', 'pending', 'infinity')`,
  );
  for (const statement of MOVE) await administer(url, statement);
  expect(await administer(url, "select title, detail, url, attempts from alert_posts")).toEqual([
    { title: "a", detail: "b", url: "c", attempts: 2 },
  ]);
  expect(await administer(url, "select id from graphile_worker._private_jobs")).toEqual([{ id: 2 }]);
  expect(
    await administer(url, "select 1 from webhook_deliveries where wake_at <= now() + interval '1 minute'"),
  ).toHaveLength(1);
});

test("a role without the right to create a schema gets an error and changes nothing", async () => {
  const { url: server } = inject("testServer");
  await administer(server, `create role ${name} login password 'word'`);
  const asRole = new URL(url);
  Object.assign(asRole, { username: name, password: "word" });
  await expect(migrate(asRole.href)).rejects.toThrow(/permission denied for database/);
  expect(await tables()).toEqual(new Set());
  await administer(server, `drop role ${name}`);
});

test("a migration uses a single connection, so that it never waits for locks of its own", async () => {
  const { url: server } = inject("testServer");
  await administer(server, `create role ${name} login password 'word' connection limit 1`);
  // Runs once the test's database, which the role owns, is gone.
  onTestFinished(async () => void (await administer(server, `drop role ${name}`)));
  await administer(server, `alter database ${name} owner to ${name}`);
  await administer(url, `alter schema public owner to ${name}`);
  const asRole = new URL(url);
  Object.assign(asRole, { username: name, password: "word" });
  await migrate(asRole.href);
  expect(await tables()).toEqual(new Set(["drizzle", "public"]));
});

test("a table of another owner in the schema, as extensions create them, does not stop the migrations", async () => {
  const { url: server } = inject("testServer");
  await administer(server, `create role ${name} login password 'word'`);
  onTestFinished(async () => void (await administer(server, `drop role ${name}`)));
  await administer(server, `alter database ${name} owner to ${name}`);
  await administer(
    url,
    `create table public.foreign_table (id int); grant create on schema public to ${name}`,
  );
  const asRole = new URL(url);
  Object.assign(asRole, { username: name, password: "word" });
  await migrate(asRole.href);
  expect(await tables()).toEqual(new Set(["drizzle", "public"]));
});
