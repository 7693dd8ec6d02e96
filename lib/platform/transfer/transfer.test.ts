import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { database, openDatabase } from "@/lib/platform/db/client";
import { migrate } from "@/lib/platform/db/migrate";
import { fillDatabase, type TransferSource } from "@/lib/platform/transfer/fill";
import { openSnapshot } from "@/lib/platform/transfer/snapshot";
import { readTables } from "@/lib/testing/database/tables";
import { administer } from "@/lib/testing/database/template";
import { emptyDatabase } from "@/lib/testing/database/test-database";
import { redeemingTenant } from "@/lib/testing/redeems";
import { useService } from "@/lib/testing/service";

useService();

const own = () => process.env.DATABASE_URL ?? "";
const quiet = () => undefined;

/** Values that a careless copy breaks. */
const TEXT = "line\nbreak\ttab \\N backslash, quote \" ' ü 🎁";

beforeAll(async () => {
  const { tenant, redeem } = await redeemingTenant({ app: { name: TEXT } });
  await redeem({ refereeUid: TEXT });
  await redeem({ refereeUid: "bob" });
  await database().pool.query("insert into visitor_salts values (current_date, '\\x005c0aff')");
  expect((await readTables(own())).codes?.join()).toContain(tenant.ctx.app.id);
  // Rows that the service writes behind its responses.
  await vi.waitFor(
    async () => {
      const { request_log = [], request_subjects = [], key_usage_days = [] } = await readTables(own());
      // Those of a service that the process ran before may be among them.
      for (const rows of [request_log, request_subjects, key_usage_days]) expect(rows).not.toHaveLength(0);
    },
    { timeout: 60_000 },
  );
});

async function snapshot(): Promise<TransferSource> {
  const source = await openSnapshot({ url: own(), whileRunning: true });
  onTestFinished(() => source.close());
  return source;
}

test("every row arrives as it was, and a service may start on the target", async () => {
  const target = await emptyDatabase();
  const lines: string[] = [];
  await fillDatabase(await snapshot(), target, (line) => lines.push(line));
  expect(await readTables(target)).toEqual(await readTables(own()));
  expect(lines).toContain("codes: 40 rows, copied and compared");
  await migrate(target);
});

test("a table may take longer to copy than a transaction of the target's role", async () => {
  const target = await emptyDatabase();
  const [newer] = await administer(
    target,
    "select where current_setting('transaction_timeout', true) is not null",
  );
  const name = new URL(target).pathname.slice(1);
  if (newer) await administer(target, `alter database ${name} set transaction_timeout = '1s'`);
  const source = await snapshot();
  const read: TransferSource["read"] = async (table) => {
    if (table.name === "codes") await pause(1_200);
    return source.read(table);
  };
  await fillDatabase({ ...source, read }, target, quiet);
  expect(await readTables(target)).toEqual(await readTables(own()));
});

test("the time of a backup is the database's, whatever the clock of the machine that takes it", async () => {
  const [before] = await administer<{ now: Date }>(own(), "select now()");
  vi.useFakeTimers({ toFake: ["Date"], now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  const source = await openSnapshot({ url: own(), whileRunning: true });
  onTestFinished(() => source.close());
  expect(Date.parse(source.takenAt)).toBeGreaterThan(before?.now.getTime() ?? Number.NaN);
});

test("a target with rows of its own is refused and keeps them", async () => {
  const target = await emptyDatabase();
  await migrate(target);
  await administer(target, "insert into visitor_salts values (current_date, '\\x01')");
  const before = await readTables(target);
  await expect(fillDatabase(await snapshot(), target, quiet)).rejects.toThrow(
    "The target has rows of its own, which would be lost (visitor_salts)",
  );
  expect(await readTables(target)).toEqual(before);
  await migrate(target);
});

test("a target with a table of another program is refused", async () => {
  const target = await emptyDatabase();
  await administer(target, "create table customers as select 1 as id");
  await expect(fillDatabase(await snapshot(), target, quiet)).rejects.toThrow("would be lost (customers)");
  expect(Object.keys(await readTables(target))).toEqual(["customers"]);
});

test("a source without a database of this program is refused and stays as it was", async () => {
  const url = await emptyDatabase();
  await administer(url, "create table customers as select 1 as id");
  await expect(openSnapshot({ url, whileRunning: false })).rejects.toThrow("has no Metacode database");
  expect(Object.keys(await readTables(url))).toEqual(["customers"]);
});

test("a source with the migrations of another program is refused and stays as it was", async () => {
  const url = await emptyDatabase();
  await administer(url, "create table customers as select 1 as id");
  await administer(url, "create schema drizzle");
  await administer(
    url,
    "create table drizzle.__drizzle_migrations as select 'x' as hash, 1::bigint as created_at",
  );
  await expect(openSnapshot({ url, whileRunning: false })).rejects.toThrow("has no Metacode database");
  expect(Object.keys(await readTables(url))).toEqual(["customers"]);
});

test("a source that is written to during the copy leaves the target closed until a copy has those rows", async () => {
  const url = await emptyDatabase();
  await fillDatabase(await snapshot(), url, quiet);
  const target = await emptyDatabase();
  const writes = "select n_tup_upd::text as name from pg_stat_user_tables where relname = 'codes'";
  const fill = async (afterCodes: () => Promise<unknown>) => {
    const source = await openSnapshot({ url, whileRunning: false });
    onTestFinished(() => source.close());
    const written: TransferSource = {
      ...source,
      digest: (table) =>
        table.name === "referrals" ? afterCodes().then(() => source.digest(table)) : source.digest(table),
    };
    return fillDatabase(written, target, quiet);
  };
  await expect(
    fill(async () => {
      await administer(url, "update codes set status = 'void' where status = 'available'");
      await expect.poll(async () => (await administer(url, writes))[0]?.name).not.toBe("0");
    }),
  ).rejects.toThrow("The source was written to during the copy");
  await expect(migrate(target)).rejects.toThrow("was not completed");
  await fill(async () => undefined);
  expect(await readTables(target)).toEqual(await readTables(url));
  await migrate(target);
});

test("rows that arrive changed are not stored; no service starts until a second copy is whole", async () => {
  const target = await emptyDatabase();
  const source = await snapshot();
  const changed: TransferSource = {
    ...source,
    read: async (table) => {
      const chunks = await (await source.read(table)).toArray();
      const text = Buffer.concat(chunks).toString();
      return Readable.from([Buffer.from(table.name === "referrals" ? text.replace("bob", "bib") : text)]);
    },
  };
  await expect(fillDatabase(changed, target, quiet)).rejects.toThrow("referrals: 2 rows were read");
  expect((await readTables(target)).referrals).toEqual([]);
  await expect(migrate(target)).rejects.toThrow("was not completed");

  const lines: string[] = [];
  await fillDatabase(source, target, (line) => lines.push(line));
  expect(lines).toContain("codes: 40 rows, there already");
  expect(lines).toContain("referrals: 2 rows, copied and compared");
  expect(await readTables(target)).toEqual(await readTables(own()));
  await migrate(target);
});

test("a source or target that a service uses is refused", async () => {
  const used = await emptyDatabase();
  await migrate(used);
  // An application name in the address neither hides a service nor turns a command into one.
  const service = openDatabase({ url: `${used}?application_name=orders`, size: 1 });
  onTestFinished(() => service.close());
  const named = await openSnapshot({ url: `${used}?application_name=metacode`, whileRunning: false });
  await named.close();
  await service.pool.query("select 1");
  await expect(openSnapshot({ url: used, whileRunning: false })).rejects.toThrow(
    /Stop every instance.* or send it RECONNECT/,
  );
  const runs = /^A service runs on the target: .* or send it RECONNECT/;
  await expect(fillDatabase(await snapshot(), used, quiet)).rejects.toThrow(runs);
  await migrate(used);
});
