import { readFileSync } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { declaredFunctions, functionFiles } from "@/lib/platform/db/functions";
import { migrate } from "@/lib/platform/db/migrate";
import { RETIRED_FUNCTIONS } from "@/lib/platform/db/retired-functions";
import { useService } from "@/lib/testing/service";

useService();

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "metacode-functions-"));
  await cp("drizzle", join(root, "drizzle"), { recursive: true });
  for (const file of functionFiles()) await cp(file, join(root, file));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const run = async (text: string) => (await database().pool.query(text)).rows;
const install = () => migrate(process.env.DATABASE_URL ?? "", { root });
const signatures = async (name: string) =>
  (
    await run(
      `select p.oid::regprocedure::text as signature from pg_proc p where proname = '${name}' order by 1`,
    )
  ).map(({ signature }) => signature);

const declaration = (parameters: string, result: string) =>
  `create or replace function planted(${parameters}) returns ${result} language plpgsql as $$ begin return 1; end $$;`;

/** Installs the functions and an additional one. */
async function installPlanted(parameters: string, result = "int"): Promise<string[]> {
  await writeFile(
    join(root, dirname(functionFiles()[0] ?? ""), "planted.sql"),
    declaration(parameters, result),
  );
  await install();
  return signatures("planted");
}

describe("every start", () => {
  test("drops the overload of a function whose parameter list has changed", async () => {
    expect(await installPlanted("p_a int")).toEqual(["planted(integer)"]);
    expect(await installPlanted("p_a int, p_b text")).toEqual(["planted(integer,text)"]);
    expect(await installPlanted("p_a int, p_b text")).toEqual(["planted(integer,text)"]);
  });

  test("replaces a function whose parameters have other names, or which returns another type", async () => {
    await installPlanted("p_a int");
    await installPlanted("p_other int", "bigint");
    expect(await run("select planted(p_other => 5) as result")).toEqual([{ result: "1" }]);
    expect(await signatures("planted")).toEqual(["planted(integer)"]);
  });

  test("drops retired functions, but none of another schema, of an extension, or with a name that was never ours", async () => {
    const body = "returns int language plpgsql as $$ begin return 1; end $$";
    const [retired] = RETIRED_FUNCTIONS;
    await run("create schema others");
    for (const name of [`${retired}(p_a int)`, `${retired}()`, `others.${retired}()`, "not_ours()"])
      await run(`create function ${name} ${body}`);
    await run("create function others.emit(text) returns int language plpgsql as $$ begin return 1; end $$");
    await install();
    expect(await signatures(`${retired}`)).toEqual([`others.${retired}()`]);
    expect(await signatures("not_ours")).toEqual(["not_ours()"]);
    expect(await signatures("emit")).toEqual(["emit(uuid,text,jsonb)", "others.emit(text)"]);
    await run("drop schema others cascade");
  });
});

test("the files declare every function once, and no retired one", () => {
  const names = functionFiles().flatMap((file) => declaredFunctions(readFileSync(file, "utf8")));
  expect(names.length).toBeGreaterThan(50);
  expect(names).toEqual([...new Set(names)]);
  expect(names.filter((name) => RETIRED_FUNCTIONS.includes(name))).toEqual([]);
});
