import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { addressLabel, readAddress } from "@/lib/cli/transfer-database";
import { flushRequests } from "@/lib/outward/request-log/buffer";
import { getFormerBinaries } from "@/lib/platform/embedded-postgres/binaries";
import { startPostgres } from "@/lib/platform/embedded-postgres/start";
import { readTables } from "@/lib/testing/database/tables";
import { emptyDatabase } from "@/lib/testing/database/test-database";
import { temporaryFolder } from "@/lib/testing/folder";
import { needing } from "@/lib/testing/needing";
import { bundleForChild } from "@/lib/testing/processes/child";
import { redeemingTenant } from "@/lib/testing/redeems";
import { useService } from "@/lib/testing/service";

useService();

const own = () => process.env.DATABASE_URL ?? "";

let file: string;
beforeAll(async () => {
  file = await bundleForChild("lib/cli/move.ts");
  const { redeem } = await redeemingTenant();
  for (const refereeUid of ["ann", "bob", "carl"]) await redeem({ refereeUid });
  // Stores the request log now, and not while the database is copied or compared.
  await flushRequests();
});

/** A move in its own process. */
function startMove(args: string[], variables: Record<string, string>) {
  const child = spawn(process.execPath, [file, ...args], { env: { ...process.env, ...variables } });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part) => (text += part));
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, output: () => text, ended: once(child, "close").then(([code]) => code as number) };
}

test("a killed move goes on where it was; addresses come from variables and show no password", async () => {
  const variables = { FROM: own(), TO: await emptyDatabase() };
  const args = ["FROM", "TO", "--while-running"];
  const lock = new pg.Client({ connectionString: own() });
  await lock.connect();
  onTestFinished(() => lock.end());
  await lock.query("begin; lock table users in access exclusive mode");
  const first = startMove(args, variables);
  await vi.waitFor(() => expect(first.output()).toContain("codes: 40 rows, copied"), { timeout: 60_000 });
  first.child.kill("SIGKILL");
  await first.ended;
  await lock.query("rollback");

  const second = startMove(args, variables);
  expect(await second.ended, second.output()).toBe(0);
  expect(second.output()).toContain("codes: 40 rows, there already");
  expect(second.output()).toContain("workspaces: 1 rows, copied and compared");
  expect(await readTables(variables.TO)).toEqual(await readTables(own()));
  expect(first.output() + second.output()).not.toContain(new URL(own()).password);
});

test.each([
  ["a_name_without_value", "There is no environment variable a_name_without_value"],
  ["mysql://ann:word@host/db", "Use an address such as"],
])("%s is refused without being shown", (text, message) => {
  expect(() => readAddress(text, {})).toThrow(message);
  expect(addressLabel("postgres://ann:word@host:5433/db")).toBe("host:5433/db");
});

const former = await getFormerBinaries(15).catch(() => undefined);

test.skipIf(!former)(
  needing("an embedded database of a former PostgreSQL is moved to this one", former, "no PostgreSQL 15"),
  async () => {
    const dataDir = await temporaryFolder();
    const before = await startPostgres({ dataDir, durable: false, ...(former && { binaries: former }) });
    const variables = { FROM: own(), TO: before.url, DATA_DIR: dataDir };
    const down = startMove(["FROM", "TO", "--while-running"], variables);
    expect(await down.ended, down.output()).toBe(0);
    const rows = await readTables(before.url);
    expect(rows).toEqual(await readTables(own()));
    await before.stop();

    await expect(startPostgres({ dataDir, durable: false })).rejects.toThrow(
      /is of PostgreSQL 15, .* PostgreSQL \d+: run `npm run move -- embedded embedded`/,
    );
    const up = startMove(["embedded", "embedded"], variables);
    expect(await up.ended, up.output()).toBe(0);
    expect(existsSync(join(dataDir, "cluster-15"))).toBe(true);
    const after = await startPostgres({ dataDir, durable: false });
    onTestFinished(() => after.stop());
    expect(await readTables(after.url)).toEqual(rows);
    expect(new URL(after.url).password).toBe(new URL(before.url).password);
  },
);
