import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { stopWith } from "@/lib/cli/database";
import { readTables } from "@/lib/testing/database/tables";
import { administer } from "@/lib/testing/database/template";
import { emptyDatabase } from "@/lib/testing/database/test-database";
import { temporaryFolder } from "@/lib/testing/folder";
import { bundleForChild } from "@/lib/testing/processes/child";
import { redeemingTenant } from "@/lib/testing/redeems";
import { useService } from "@/lib/testing/service";

useService();

const ID = "01900000-0000-7000-8000-000000000000";

let files: { backup: string; restore: string };
beforeAll(async () => {
  files = {
    backup: await bundleForChild("lib/cli/backup.ts"),
    restore: await bundleForChild("lib/cli/restore.ts"),
  };
});

/** Runs a command on a database and returns what it printed; rejects with its error. */
async function run(command: "backup" | "restore", folder: string, url: string): Promise<string> {
  const env = { ...process.env, DATABASE_URL: url };
  return (await promisify(execFile)(process.execPath, [files[command], folder], { env })).stdout;
}

const count = async (url: string, query: string) =>
  (await administer(url, `select count(*)::int as name from ${query}`))[0]?.name;

test("a backup that is taken under load is the database at one moment, and is restored whole", async () => {
  const own = process.env.DATABASE_URL ?? "";
  const { redeem } = await redeemingTenant({ codes: 20_000 });
  const folder = join(await temporaryFolder(), "backup");
  let done = false;
  let redeemed = 0;
  const load = (async () => {
    while (!done)
      await Promise.all(["a", "b", "c"].map((name) => redeem({ refereeUid: `${name}${redeemed++}` })));
  })();
  const printed = await run("backup", folder, own).finally(() => {
    done = true;
  });
  await load;
  expect(printed).toContain("codes: 80,000 rows");

  const target = await emptyDatabase();
  const restored = await run("restore", folder, target);
  expect(restored).toContain("erase again every user who was erased after the backup");
  expect(restored).toContain("have access again");
  const [since] = /(?<=void-codes -- --since )\S+/.exec(restored) ?? [];
  expect(await count(target, `codes where assigned_at > '${since}'`)).toBe(0);
  const assigned = await count(target, "codes where status = 'assigned'");
  expect(Number(assigned)).toBeGreaterThan(0);
  expect(Number(assigned)).toBeLessThan(redeemed);
  expect(await count(target, "referrals")).toBe(assigned);
  expect(await count(target, "outbox where type = 'referral.code_assigned'")).toBe(assigned);
});

test("a restore refuses a database with rows, a damaged file and a backup that was not completed", async () => {
  const own = process.env.DATABASE_URL ?? "";
  const folder = join(await temporaryFolder(), "backup");
  await run("backup", folder, own);
  await expect(run("backup", folder, own)).rejects.toThrow("is not empty");

  const target = await emptyDatabase();
  await run("restore", folder, target);
  const before = await readTables(target);
  await expect(run("restore", folder, target)).rejects.toThrow("The target has rows of its own");
  expect(await readTables(target)).toEqual(before);

  await writeFile(join(folder, "apps.copy.gz"), "x");
  await expect(run("restore", folder, await emptyDatabase())).rejects.toThrow(
    "apps.copy.gz is not as it was written",
  );
  await writeFile(join(folder, "manifest.json"), `{"format":2}`);
  const unread = await run("restore", folder, await emptyDatabase()).catch((error: unknown) => error);
  expect(Object(unread).stderr).toMatch(
    /^The manifest\.json in .* is damaged, or of another version of Metacode\n$/,
  );
  await rm(join(folder, "manifest.json"));
  expect((await readdir(folder)).length).toBeGreaterThan(20);
  await expect(run("restore", folder, await emptyDatabase())).rejects.toThrow("There is no complete backup");
});

test("a command says on which database it works, and neither its user nor its password", async () => {
  const { DATABASE_URL = "" } = process.env;
  const { host, pathname, password } = new URL(DATABASE_URL);
  const file = await bundleForChild("lib/cli/plan.ts");
  const run = promisify(execFile)(process.execPath, [file, ID, "pro"], { env: process.env });
  const { stderr } = Object(await run.catch((error: unknown) => error));
  expect(stderr.split("\n")[0]).toBe(`Database: ${host}${pathname}`);
  if (password) expect(stderr).not.toContain(password);
});

test("a command says why a database is away whose name has several addresses, each of which refused", () => {
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => {
    said.mockRestore();
    process.exitCode = undefined;
  });
  stopWith(Object.assign(new AggregateError([]), { code: "ECONNREFUSED" }));
  expect(said.mock.calls).toEqual([["ECONNREFUSED\n"]]);
});

test.each([
  ["backup", ["backup"]],
  ["void-codes", ["--since", "2026-11-22T13:05:00Z"]],
  ["plan", [ID, "pro"]],
  ["distribute", []],
])("%s without the service's settings ends instead of reporting on a new database", async (name, args) => {
  const file = await bundleForChild(`lib/cli/${name}.ts`);
  const env = { ...process.env, DATABASE_URL: "", DATA_DIR: join(await temporaryFolder(), ".data") };
  await expect(promisify(execFile)(process.execPath, [file, ...args], { env })).rejects.toThrow(
    `There is no embedded database in ${env.DATA_DIR} (DATA_DIR)`,
  );
  expect(existsSync(env.DATA_DIR)).toBe(false);
});

test("the documented drill does not send the webhooks and emails of the restored database a second time", async () => {
  const guide = await readFile("docs/guides/self-hosting.md", "utf8");
  const starts = guide.match(/^DATABASE_URL=.*npm start$/gm);
  expect(starts).toEqual([expect.stringContaining(" ROLE=web OPERATOR_EMAIL= ")]);
});
