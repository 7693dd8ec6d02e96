import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { completeIndexes } from "@/lib/cli/complete-indexes";
import { functionFiles } from "@/lib/platform/db/functions";
import { buildIndexes, concurrentIndexes, missingIndexes } from "@/lib/platform/db/indexes";
import { migrate } from "@/lib/platform/db/migrate";
import { emptyDatabase } from "@/lib/testing/database/test-database";
import { temporaryFolder } from "@/lib/testing/folder";
import { startTcpProxy } from "@/lib/testing/tcp-proxy";

const LARGE = `create table large (id int primary key, text text);
insert into large select n, repeat('x', 400) from generate_series(1, 50000) n`;
const INDEX = 'CREATE INDEX CONCURRENTLY "large_text" ON "large" USING btree ("text");';

let root: string;
let url: string;
let pool: pg.Pool;

beforeEach(async () => {
  root = await temporaryFolder();
  for (const file of functionFiles()) await cp(file, join(root, file));
  url = await emptyDatabase();
  await migrate(url);
  pool = new pg.Pool({ connectionString: url });
  pool.on("error", () => undefined);
});
afterEach(() => pool.end());

/** The project's migrations and an additional one. */
async function addMigration(...statements: string[]): Promise<void> {
  await rm(join(root, "drizzle"), { recursive: true, force: true });
  await mkdir(root, { recursive: true });
  await cp("drizzle", join(root, "drizzle"), { recursive: true });
  const path = join(root, "drizzle/meta/_journal.json");
  const journal = JSON.parse(await readFile(path, "utf8"));
  journal.entries.push({ ...journal.entries.at(-1), idx: 9_999, when: Date.now(), tag: "9999_more" });
  await writeFile(path, JSON.stringify(journal));
  await writeFile(join(root, "drizzle/9999_more.sql"), statements.join("\n--> statement-breakpoint\n"));
}

/** A migrated database whose large table still lacks its index. */
async function largeTable(index = INDEX) {
  await pool.query(LARGE);
  await addMigration(index);
  await migrate(url, { root });
  return missingIndexes(url, root);
}

/** The index's id, once it is valid. */
async function builtIndex(): Promise<number | undefined> {
  const { rows } = await pool.query<{ oid: number }>(
    "select indexrelid::int as oid from pg_index where indexrelid = to_regclass('large_text') and indisvalid",
  );
  return rows[0]?.oid;
}

/** A transaction that has written to the table and stays open until it is committed. */
async function openWriter() {
  const client = await pool.connect();
  await client.query("begin");
  await client.query("insert into large values (0, 'open')");
  const commit = async () => {
    await client.query("commit");
    client.release();
  };
  return { commit };
}

/** The backend that builds and waits for the writer. */
async function waitingBuild(): Promise<number> {
  let pid = 0;
  await vi.waitFor(
    async () => {
      const { rows } = await pool.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
            and query ~ 'INDEX CONCURRENTLY'`,
      );
      pid = rows[0]?.pid ?? 0;
      expect(pid).toBeGreaterThan(0);
    },
    { timeout: 60_000, interval: 20 },
  );
  return pid;
}

test("a small table is indexed by the migration, a large one is left, and neither again", async () => {
  await pool.query(LARGE);
  await addMigration(
    "create table little (id int)",
    INDEX,
    'CREATE UNIQUE INDEX CONCURRENTLY "little_id" ON "little" USING btree ("id");',
    'CREATE INDEX CONCURRENTLY "gone" ON "large" ("id");',
    'DROP INDEX IF EXISTS "gone";',
  );
  await migrate(url, { root });
  expect((await missingIndexes(url, root)).map(({ name, unique }) => [name, unique])).toEqual([
    ["large_text", false],
  ]);
  await buildIndexes(url, concurrentIndexes(root));
  const built = await builtIndex();
  expect(built).toBeGreaterThan(0);
  await buildIndexes(url, concurrentIndexes(root));
  expect(await builtIndex()).toBe(built);
});

test("a migration drops an index that was not built yet, as drizzle-kit writes it", async () => {
  await pool.query(LARGE);
  await addMigration(INDEX, 'DROP INDEX "large_text";', "create table at_last (id int)");
  await migrate(url, { root });
  expect(await missingIndexes(url, root)).toEqual([]);
  expect((await pool.query("select from at_last")).rows).toEqual([]);
});

test("writes go on during a build, and so do the starts of other instances", async () => {
  const missing = await largeTable();
  const writer = await openWriter();
  const building = buildIndexes(url, missing);
  await waitingBuild();
  await pool.query("insert into large values (-1, 'meanwhile')");
  await migrate(url, { root });
  expect(await builtIndex()).toBeUndefined();
  await writer.commit();
  await building;
  expect(await builtIndex()).toBeGreaterThan(0);
});

test("instances that start together build once, and the ones that wait do not hold up the build", async () => {
  const missing = await largeTable();
  const writer = await openWriter();
  const builds = Array.from({ length: 3 }, () => buildIndexes(url, missing));
  await waitingBuild();
  await vi.waitFor(
    async () => {
      const { rows } = await pool.query(
        "select from pg_stat_activity where datname = current_database() and application_name = 'metacode indexes'",
      );
      expect(rows).toHaveLength(3);
    },
    { timeout: 60_000 },
  );
  await writer.commit();
  await Promise.all(builds);
  expect(await builtIndex()).toBeGreaterThan(0);
});

test("the index that a killed build left is dropped and built again", async () => {
  const missing = await largeTable();
  const writer = await openWriter();
  const building = buildIndexes(url, missing);
  building.catch(() => undefined);
  await pool.query("select pg_terminate_backend($1)", [await waitingBuild()]);
  await expect(building).rejects.toThrow();
  await writer.commit();
  const { rows } = await pool.query(
    "select indisvalid as valid from pg_index where indexrelid = to_regclass('large_text')",
  );
  expect(rows).toEqual([{ valid: false }]);
  await migrate(url, { root });
  expect(await missingIndexes(url, root)).toEqual(missing);
  await buildIndexes(url, missing);
  expect(await builtIndex()).toBeGreaterThan(0);
});

test("a build whose instance was killed goes on in the database, and the next instance waits for it", async () => {
  const missing = await largeTable();
  const proxy = await startTcpProxy(url);
  onTestFinished(() => proxy.stop());
  const proxied = new URL(url);
  proxied.port = String(proxy.port);
  const writer = await openWriter();
  const killed = buildIndexes(proxied.href, missing);
  killed.catch(() => undefined);
  await waitingBuild();
  const begun = await pool.query<{ oid: number }>("select 'large_text'::regclass::oid::int as oid");
  proxy.cut();
  await expect(killed).rejects.toThrow();
  const next = buildIndexes(url, missing);
  await writer.commit();
  await next;
  expect(await builtIndex()).toBe(begun.rows[0]?.oid);
});

const DIRECT = { DATABASE_POOLER: "none", DATABASE_DIRECT_URL: undefined } as const;
const POOLED = { ...DIRECT, DATABASE_POOLER: "transaction" } as const;

test("a start waits for unique indexes only", async () => {
  await pool.query(LARGE);
  await addMigration(INDEX, 'CREATE UNIQUE INDEX CONCURRENTLY "large_id" ON "large" ("id");');
  await migrate(url, { root });
  vi.spyOn(process, "cwd").mockReturnValue(root);
  onTestFinished(() => void vi.restoreAllMocks());
  const lines: string[] = [];
  const writer = await openWriter();
  let started = false;
  const start = completeIndexes(DIRECT, url, (line) => lines.push(line)).then(() => {
    started = true;
  });
  await waitingBuild();
  expect(started).toBe(false);
  await writer.commit();
  await start;
  await vi.waitFor(() => expect(lines.at(-1)).toBe("Indexes are complete: large_text, large_id"), 60_000);
});

test("behind a pooler a start names what is missing, builds by the direct address, and notices if that is elsewhere", async () => {
  await largeTable();
  vi.spyOn(process, "cwd").mockReturnValue(root);
  onTestFinished(() => void vi.restoreAllMocks());
  const lines: string[] = [];
  await completeIndexes(POOLED, url, (line) => lines.push(line));
  expect(lines).toEqual([expect.stringMatching(/set DATABASE_DIRECT_URL \(large_text\)$/)]);
  const other = { ...POOLED, DATABASE_DIRECT_URL: await emptyDatabase() };
  await completeIndexes(other, url, (line) => lines.push(line));
  await vi.waitFor(
    () => expect(lines.at(-1)).toMatch(/DATABASE_DIRECT_URL must [^\n]* \(large_text\)$/),
    60_000,
  );
  await completeIndexes({ ...POOLED, DATABASE_DIRECT_URL: url }, url, (line) => lines.push(line));
  await vi.waitFor(() => expect(lines.at(-1)).toBe("Indexes are complete: large_text"), 60_000);
});

/** Migrations up to this one indexed existing tables within the transaction. */
const LAST_OLD = 27;

test("a migration indexes a table that it does not create with CONCURRENTLY", async () => {
  const journal = JSON.parse(await readFile("drizzle/meta/_journal.json", "utf8"));
  for (const { idx, tag } of journal.entries as { idx: number; tag: string }[]) {
    const text = await readFile(`drizzle/${tag}.sql`, "utf8");
    const created = [...text.matchAll(/^CREATE TABLE "(\w+)"/gm)].map(([, table]) => table);
    const blocking = [...text.matchAll(/^CREATE (?:UNIQUE )?INDEX "\w+" ON "(\w+)"/gm)]
      .map(([, table]) => table)
      .filter((table) => !created.includes(table));
    if (idx > LAST_OLD) expect(blocking, tag).toEqual([]);
    else if (idx === LAST_OLD) expect(blocking).toEqual(["rewards"]);
  }
});
