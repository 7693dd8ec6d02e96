import { randomBytes } from "node:crypto";
import { runMigrations } from "graphile-worker";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { migrate } from "@/lib/db/migrate";
import { administer, databaseUrl } from "@/lib/testing/template";

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
    "select schemaname as name from pg_tables where schemaname in ('public', 'drizzle', 'graphile_worker')",
  );
  return new Set(rows.map((row) => row.name));
};

test("several servers that start on an empty database at once all come up", async () => {
  await Promise.all(Array.from({ length: 4 }, () => migrate(url)));
  expect(await tables()).toEqual(new Set(["public", "drizzle", "graphile_worker"]));
});

test("another service's queue of the same library is used beside it, and its jobs are left alone", async () => {
  const pgPool = new pg.Pool({ connectionString: url, max: 1 });
  await runMigrations({ pgPool });
  await pgPool.query("select graphile_worker.add_job('somebody_elses')");
  await Promise.all([migrate(url), migrate(url)]);
  const { rows } = await pgPool.query("select task_identifier, locked_at from graphile_worker.jobs");
  await pgPool.end();
  expect(rows).toEqual([{ task_identifier: "somebody_elses", locked_at: null }]);
});

test("a role that may not create a schema is told so, and has changed nothing", async () => {
  const { url: server } = inject("testServer");
  await administer(server, `create role ${name} login password 'word'`);
  const asRole = new URL(url);
  Object.assign(asRole, { username: name, password: "word" });
  await expect(migrate(asRole.href)).rejects.toThrow(/permission denied for database/);
  expect(await tables()).toEqual(new Set());
  await administer(server, `drop role ${name}`);
});
