import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyFunctionFile } from "@/lib/cli/watch-functions";
import { database } from "@/lib/platform/db/client";
import { useService } from "@/lib/testing/service";

useService();

const FILE = "lib/planted.sql";
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "metacode-watch-"));
  await mkdir(join(root, "lib"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const declare = (parameters: string, body: string) =>
  `-- Planted.\ncreate or replace function planted(${parameters}) returns text language plpgsql as $$\nbegin\n  ${body};\nend $$;\n`;

async function save(text: string): Promise<string> {
  await writeFile(join(root, FILE), text);
  return applyFunctionFile(process.env.DATABASE_URL ?? "", FILE, root);
}

const call = async (args: string) =>
  (await database().pool.query(`select planted(${args}) as result`)).rows[0].result;

test("a saved file replaces its functions at once, and drops the overload with the old parameters", async () => {
  expect(await save(declare("", "return 'first'"))).toBe("Applied lib/planted.sql: planted");
  expect(await call("")).toBe("first");
  await save(declare("p_name text", "return p_name"));
  expect(await call("'second'")).toBe("second");
  await expect(call("")).rejects.toMatchObject({ code: "42883" });
});

test("an invalid file changes nothing, and its error names the line", async () => {
  await save(declare("p_name text", "return p_name"));
  expect(await save(declare("p_name text", "retrun p_name"))).toMatch(
    /^lib\/planted\.sql:4: syntax error at or near "retrun"\. The database keeps/,
  );
  expect(await call("'third'")).toBe("third");
});

test("a deleted file is reported with the next step", async () => {
  await save(declare("p_name text", "return p_name"));
  await rm(join(root, FILE));
  expect(await applyFunctionFile(process.env.DATABASE_URL ?? "", FILE, root)).toContain(
    "retired-functions.ts",
  );
});
