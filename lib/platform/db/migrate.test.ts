import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { withDatabase } from "@/lib/cli/database";
import { database } from "@/lib/platform/db/client";
import { functionFiles } from "@/lib/platform/db/functions";
import { migrate } from "@/lib/platform/db/migrate";
import { readCatalog } from "@/lib/testing/database/catalog";
import { onCluster } from "@/lib/testing/database/cluster";
import { ungrantedLocks } from "@/lib/testing/database/locks";
import { needing } from "@/lib/testing/needing";
import { crowdedConstraints } from "@/lib/testing/rules/sql";
import { projectFiles } from "@/lib/testing/rules/tree";
import { useService } from "@/lib/testing/service";

useService();

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "metacode-migrate-"));
  for (const file of functionFiles()) await cp(file, join(root, file));
});
afterEach(() => rm(join(root, "drizzle"), { recursive: true, force: true }));
afterAll(() => rm(root, { recursive: true, force: true }));

const url = () => process.env.DATABASE_URL ?? "";
const rows = async (text: string) => (await database().pool.query(text)).rows;
const applied = () => rows("select count(*)::int as count from drizzle.__drizzle_migrations");

/** The project's migrations and an additional one. */
async function addMigration(statements: string[]): Promise<void> {
  await cp("drizzle", join(root, "drizzle"), { recursive: true });
  const path = join(root, "drizzle/meta/_journal.json");
  const journal = JSON.parse(await readFile(path, "utf8"));
  journal.entries.push({ ...journal.entries.at(-1), idx: 9_999, when: Date.now(), tag: "9999_more" });
  await writeFile(path, JSON.stringify(journal));
  await writeFile(join(root, "drizzle/9999_more.sql"), statements.join("\n--> statement-breakpoint\n"));
}

test("a migration that fails leaves the database as it was", async () => {
  const before = [await readCatalog(database().pool), await applied()];
  await addMigration([
    "create table left_behind (id int)",
    "alter table apps add column left_behind int",
    "delete from drizzle.__drizzle_migrations",
    "insert into left_behind values (1), ('broken')",
  ]);
  await expect(migrate(url(), { root })).rejects.toMatchObject({ code: "22P02" });
  expect([await readCatalog(database().pool), await applied()]).toEqual(before);
});

test("a migration that ends in a deadlock with requests begins again, ten times at most", async () => {
  // A sequence keeps its count when the transaction is undone.
  await rows("create sequence begun");
  const deadlock = (times: number) =>
    `do $$ begin if nextval('begun') <= ${times} then raise exception using errcode = '40P01'; end if; end $$`;
  await addMigration([deadlock(1), "create table at_last (id int)"]);
  await migrate(url(), { root });
  expect(await rows("select * from at_last")).toEqual([]);
  await rm(join(root, "drizzle"), { recursive: true });
  await rows("select setval('begun', 1, false)");
  await addMigration([deadlock(99)]);
  await expect(migrate(url(), { root })).rejects.toMatchObject({ code: "40P01" });
  expect(await rows("select last_value::int as times from begun")).toEqual([{ times: 10 }]);
});

test.skipIf(onCluster())(
  needing(
    "a migration that does not get its locks lets requests pass, and begins again",
    !onCluster(),
    "a cluster takes the locks of a change shard by shard",
  ),
  async () => {
    await addMigration(["create table seen as select current_setting('lock_timeout') as lock_timeout"]);
    const request = await database().pool.connect();
    await request.query("begin; lock table referrals in row exclusive mode");
    const migration = migrate(url(), { root });
    await expect.poll(() => ungrantedLocks("referrals")).toBe(1);
    // The earlier tables are locked already; this one waits until the migration releases them.
    expect(await rows("select count(*)::int from campaigns")).toEqual([{ count: 0 }]);
    await request.query("commit");
    request.release();
    await migration;
    expect(await rows("select * from seen")).toEqual([{ lock_timeout: "500ms" }]);
  },
);

test("the later tries of a migration wait until PostgreSQL ends an autovacuum in the way, which it does after a second", async () => {
  await addMigration([
    "do $$ begin if current_setting('lock_timeout') = '500ms' then raise exception using errcode = '55P03'; end if; end $$",
    "create table waited as select current_setting('lock_timeout') as lock_timeout",
  ]);
  await migrate(url(), { root });
  expect(await rows("select lock_timeout from waited")).toEqual([{ lock_timeout: "1500ms" }]);
});

test("a migration may take longer than a request, whatever the role carries for its pooler", async () => {
  const role = new URL(url()).username;
  const name = new URL(url()).pathname.slice(1);
  await rows(`alter role ${role} in database ${name} set statement_timeout = '5s'`);
  const [newer] = await rows("select where current_setting('transaction_timeout', true) is not null");
  if (newer) await rows(`alter role ${role} in database ${name} set transaction_timeout = '1s'`);
  await addMigration([
    "select pg_sleep(1.2)",
    "create table limits as select current_setting('statement_timeout') as statement_timeout, current_setting('idle_in_transaction_session_timeout') as idle",
  ]);
  await migrate(url(), { root });
  // If its work on another connection waits for its locks, the migration ends after a minute.
  expect(await rows("select * from limits")).toEqual([{ statement_timeout: "0", idle: "1min" }]);
});

test("a migration adds a constraint in a statement of its own, as a cluster demands", () => {
  expect(crowdedConstraints(projectFiles())).toEqual([]);
  const of = (path: string, text: string) => crowdedConstraints([{ path, text }]);
  const alone = "ALTER TABLE a ADD CONSTRAINT b CHECK (least(c, d) >= 0) NOT VALID;";
  const beside = "ALTER TABLE a DROP CONSTRAINT b, ADD CONSTRAINT b CHECK (c >= 0);";
  expect([of("drizzle/0039_x.sql", alone), of("drizzle/0007_x.sql", beside)]).toEqual([[], []]);
  expect(of("drizzle/0039_x.sql", `${alone}--> statement-breakpoint\n${beside}`)).toHaveLength(1);
});

test("a command of an older version leaves the functions of a newer database alone, which its service calls", async () => {
  await addMigration(["create table newer (id int)"]);
  await migrate(url(), { root });
  await rows("drop function return_quota");
  await withDatabase(async () => undefined);
  expect(await rows("select from pg_proc where proname = 'return_quota'")).toEqual([]);
  await migrate(url());
  expect(await rows("select from pg_proc where proname = 'return_quota'")).toHaveLength(1);
});
