import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { sqlFunction } from "@/lib/platform/db/calls";
import { connectionOptions, database, openDatabase, PINNED_SETTINGS } from "@/lib/platform/db/client";
import { apps } from "@/lib/platform/db/schema";
import { ungrantedLocks } from "@/lib/testing/database/locks";
import { useService } from "@/lib/testing/service";
import { startTcpProxy } from "@/lib/testing/tcp-proxy";

useService();

test("a connection's settings override those of the server and the database", async () => {
  const url = process.env.DATABASE_URL ?? "";
  const name = new URL(url).pathname.slice(1);
  const others = openDatabase({ url, size: 1 });
  onTestFinished(() => others.close());
  const zeros = Object.fromEntries(Object.keys(PINNED_SETTINGS).map((setting) => [setting, "0"]));
  const values: Record<string, string> = {
    ...zeros,
    jit: "on",
    enable_seqscan: "on",
    synchronous_commit: "off",
    default_transaction_isolation: "serializable",
  };
  for (const setting of Object.keys(PINNED_SETTINGS)) {
    await others.pool.query(`alter database ${name} set ${setting} = ${values[setting]}`);
  }
  await others.pool.query(`alter database ${name} set datestyle = 'German'`);
  const db = openDatabase({ url, size: 1 });
  onTestFinished(() => db.close());
  const { rows } = await db.pool.query(
    "select json_object_agg(name, current_setting(name)) as settings from unnest($1::text[]) name",
    [Object.keys(PINNED_SETTINGS)],
  );
  expect(rows[0].settings).toEqual(PINNED_SETTINGS);
  const at = sql`now()`.mapWith(apps.createdAt);
  const [read] = await db.orm.select({ at }).from(sql`(select) nothing`);
  expect(Number(read?.at)).toBeGreaterThan(0);
});

test("no parameter of the address replaces a pinned setting or the name, and its other options apply", async () => {
  const url = new URL(process.env.DATABASE_URL ?? "");
  url.searchParams.set("options", "-c synchronous_commit=off -c enable_seqscan=on -c work_mem=5MB");
  url.searchParams.set("application_name", "orders");
  url.searchParams.set("statement_timeout", "60000");
  const db = openDatabase({ url: url.href, size: 1 });
  onTestFinished(() => db.close());
  const names = [...Object.keys(PINNED_SETTINGS), "work_mem", "application_name"];
  const { rows } = await db.pool.query(
    "select json_object_agg(name, current_setting(name)) as settings from unnest($1::text[]) name",
    [names],
  );
  const expected = { ...PINNED_SETTINGS, work_mem: "5MB", application_name: "metacode" };
  expect(rows[0].settings).toEqual(expected);
});

test.each([
  "postgres://me:p%26ss%3Foptions%3Dx@db:5432/x",
  "postgres:///db?host=/var/run&sslmode=no-verify",
  "postgres://db/x?sslrootcert=%2Fa%20b.pem&",
  "postgres://db/x",
])("the address %s reaches the driver as it is written, also without our parameters", (url) => {
  expect(connectionOptions({ url })).toMatchObject({ connectionString: url, application_name: "metacode" });
  const taken = `${url}${url.includes("?") ? "&" : "?"}%6Fptions=-c%20a%3Db&application_name=orders`;
  expect(connectionOptions({ url: taken }).connectionString).toBe(url);
});

test("behind a pooler the address's own options alone are passed on, and its name is ours", () => {
  const url = "postgres://db/x?options=-c%20work_mem%3D5MB&application_name=orders&statement_timeout=9";
  expect(connectionOptions({ url, sessions: false })).toMatchObject({
    connectionString: "postgres://db/x?statement_timeout=9",
    application_name: "metacode",
    options: "-c work_mem=5MB",
  });
  expect(connectionOptions({ url: "postgres://db/x", sessions: false })).not.toHaveProperty("options");
});

test("the guide's role for a pooler carries every setting of a direct connection", () => {
  const guide = readFileSync("docs/guides/self-hosting.md", "utf8");
  const listed = [...guide.matchAll(/^ALTER ROLE metacode SET (\w+) = '([\w ]+)';$/gm)];
  expect(Object.fromEntries(listed.map(([, name, value]) => [name, value]))).toEqual(PINNED_SETTINGS);
});

const outer = sqlFunction("planted_outer", {}).returns<string>();

test("a call that meets a migration, which replaces the functions under it, runs again", async () => {
  const { pool } = database();
  const declare = (parameter: string) => `
    create function planted_inner(n ${parameter}) returns text language sql as $$ select '${parameter}' $$;
    create or replace function planted_outer() returns text language plpgsql as $$
      begin lock table apps in row share mode; return planted_inner('1'::${parameter}); end $$`;
  await pool.query(declare("int"));
  expect(await database().call(outer, {})).toBe("int");
  const migration = await pool.connect();
  await migration.query("begin; lock table apps in access exclusive mode");
  const call = database().call(outer, {});
  await expect.poll(() => ungrantedLocks("apps")).toBe(1);
  await migration.query(`drop function planted_inner(int); ${declare("text")}; commit`);
  migration.release();
  expect(await call).toBe("text");
});

test("a call of a function that does not exist fails, also in a transaction", async () => {
  const missing = sqlFunction("planted_missing", {}).returns<void>();
  await expect(database().call(missing, {})).rejects.toMatchObject({ code: "42883" });
  const inside = database().transaction((db) => db.call(missing, {}));
  await expect(inside).rejects.toMatchObject({ code: "42883" });
});

test("of two transactions in a deadlock, the one that PostgreSQL ends runs again, and both succeed", async () => {
  const db = database();
  await db.pool.query(
    "create table marks (id int primary key, runs int not null); insert into marks values (1, 0), (2, 0)",
  );
  let begun = 0;
  const mark = (first: number, second: number) =>
    db.transaction(async ({ orm }) => {
      await orm.execute(sql`update marks set runs = runs + 1 where id = ${first}`);
      begun++;
      await expect.poll(() => begun).toBeGreaterThan(1);
      await orm.execute(sql`update marks set runs = runs + 1 where id = ${second}`);
    });
  await Promise.all([mark(1, 2), mark(2, 1)]);
  expect(begun).toBe(3);
  expect((await db.pool.query("select runs from marks")).rows).toEqual([{ runs: 2 }, { runs: 2 }]);
});

test("a server that accepts connections without answering gets few attempts, and is used again as soon as it answers", async () => {
  const url = new URL(process.env.DATABASE_URL ?? "");
  let attempts = 0;
  const proxy = await startTcpProxy(url.href, { watch: () => attempts++ });
  onTestFinished(() => proxy.stop());
  url.port = String(proxy.port);
  const db = openDatabase({ url: url.href, size: 8, waitMs: 300 });
  onTestFinished(() => db.close());
  const query = () => db.pool.query("select 1");
  proxy.stall(true);
  for (let round = 0; round < 6; round++) {
    const results = await Promise.allSettled(Array.from({ length: 8 }, query));
    expect(results.map(({ status }) => status)).toEqual(Array(8).fill("rejected"));
  }
  // Eight at first, then a probe now and then; without a gate 48.
  expect(attempts).toBeLessThanOrEqual(16);
  proxy.stall(false);
  await vi.waitFor(async () => expect((await query()).rowCount).toBe(1), { timeout: 60_000 });
});

test("a caller that was refused while the server was silent does not connect once it answers", async () => {
  const url = new URL(process.env.DATABASE_URL ?? "");
  let attempts = 0;
  const proxy = await startTcpProxy(url.href, { watch: () => attempts++ });
  onTestFinished(() => proxy.stop());
  url.port = String(proxy.port);
  const db = openDatabase({ url: url.href, size: 8, waitMs: 300 });
  onTestFinished(() => db.close());
  const query = () => db.pool.query("select 1");
  proxy.stall(true);
  await expect(query()).rejects.toThrow();
  // A timer may fire before its time by this clock.
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
  const results = await Promise.allSettled(Array.from({ length: 8 }, query));
  expect(results.map(({ status }) => status)).toEqual(Array(8).fill("rejected"));
  const before = attempts;
  proxy.stall(false);
  await vi.waitFor(async () => expect((await query()).rowCount).toBe(1), { timeout: 60_000 });
  expect(attempts).toBeLessThanOrEqual(before + 2);
});
