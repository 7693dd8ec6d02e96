import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { jsonb, SQL_FUNCTIONS, sqlFunction, statement } from "@/lib/platform/db/calls";
import { type Db, database } from "@/lib/platform/db/client";
import { productionCode } from "@/lib/testing/rules/tree";
import { useService } from "@/lib/testing/service";

useService();

/** The entries of production code: test files share a process, and some of them declare more. */
const entries = () => SQL_FUNCTIONS.filter(({ name }) => !name.startsWith("planted"));

interface CatalogFunction {
  name: string;
  parameters: [name: string, type: string][];
  result: string;
  body: string;
}

/** Our functions as the database knows them; parameters without `p_`. */
async function catalogFunctions(): Promise<CatalogFunction[]> {
  const { rows } = await database().pool.query<CatalogFunction>(`
    select p.proname as name, p.prosrc as body, p.prorettype::regtype::text as result, coalesce((
             select json_agg(json_build_array(regexp_replace(p.proargnames[a.n], '^p_', ''), a.type::regtype::text)
                      order by a.n)
               from unnest(p.proargtypes::oid[]) with ordinality as a (type, n)), '[]') as parameters
      from pg_proc p where p.pronamespace = 'public'::regnamespace order by 1`);
  return rows;
}

/** The name of a type in the catalogue: `uuid[]` for `uuid?[]`. */
async function catalogType(type: string): Promise<string> {
  const { rows } = await database().pool.query("select to_regtype($1)::text as type", [
    type.replaceAll("?", ""),
  ]);
  return rows[0].type;
}

/** The name of every entry in the source, its module loaded. */
async function loadEntries(): Promise<string[]> {
  const names: string[] = [];
  for (const { path, text } of productionCode()) {
    const found = [...text.matchAll(/\bsqlFunction\("(\w+)"/g)].map(([, name = ""]) => name);
    if (found.length > 0) await import(resolve(path));
    names.push(...found);
  }
  return names;
}

test("every function that TypeScript calls has one entry, which matches the database's catalogue", async () => {
  const names = await loadEntries();
  expect(names.length).toBeGreaterThan(30);
  expect(
    entries()
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...names].sort());
  expect(names).toEqual([...new Set(names)]);
  const catalog = new Map((await catalogFunctions()).map(({ name, parameters }) => [name, parameters]));
  for (const { name, parameters } of entries()) {
    const declared = Object.entries(parameters).map(async ([parameter, type]) => [
      parameter,
      await catalogType(type),
    ]);
    expect([name, await Promise.all(declared)]).toEqual([name, catalog.get(name)]);
  }
});

/** The types of PostgreSQL from which the driver makes a result of this type; rows and lists come as JSON. */
const RESULTS: [result: RegExp, types: string[]][] = [
  [/^void>/, ["void"]],
  [/^number>/, ["integer"]],
  [/^boolean>/, ["boolean"]],
  [/^string( \| null)?>/, ["text", "uuid", "jsonb"]],
  [/^"[^{}[\]]*>/, ["text"]],
  [/^/, ["json", "jsonb"]],
];

/** `name: type in TypeScript, type of the database` for every entry whose result the function does not return. */
function wrongResults(texts: string[], catalog: ReadonlyMap<string, string>): string[] {
  const entries = texts.flatMap((text) => [
    ...text.matchAll(/\bsqlFunction\("(\w+)"(?:(?!\bsqlFunction)[\s\S])*?\.returns<\s*([\s\S]{0,80})/g),
  ]);
  return entries.flatMap(([, name = "", result = ""]) => {
    const type = catalog.get(name) ?? "";
    const types = RESULTS.find(([pattern]) => pattern.test(result))?.[1];
    return types?.includes(type) ? [] : [`${name}: ${result.split(">")[0]}, ${type}`];
  });
}

test("every entry has a result that its function returns, and a planted one of another type is found", async () => {
  const catalog = new Map((await catalogFunctions()).map(({ name, result }) => [name, result]));
  const texts = productionCode().map(({ text }) => text);
  expect(wrongResults(texts, catalog)).toEqual([]);
  for (const result of ["number", "string", "boolean", '"OK" | "NOT_FOUND"', "Row[]", "{ id: string }"])
    expect(wrongResults([`sqlFunction("end_line", {}).returns<${result}>()`], catalog)).toHaveLength(1);
  for (const result of ["void", "number", "string", "boolean", '"OK" | "NOT_FOUND"'])
    expect(wrongResults([`sqlFunction("due_rewards", {}).returns<${result}>()`], catalog)).toHaveLength(
      result === "string" ? 0 : 1,
    );
});

/** The calls of each version by the name of the function: the types of the arguments. */
const FIXTURES = "lib/platform/db/fixtures";
type Calls = Record<string, string[]>;

/** The calls that the database does not accept, each with its reason. */
async function refusedCalls(calls: Calls): Promise<string[]> {
  const refused: string[] = [];
  for (const [name, types] of Object.entries(calls)) {
    const list = types.length > 0 ? `(${types.join(", ")})` : "";
    const places = types.map((_, index) => `$${index + 1}`).join(", ");
    const client = await database().pool.connect();
    await client
      .query(`prepare former${list} as select ${name}(${places}) as result; deallocate former`)
      .catch((error: Error) => refused.push(`${name}: ${error.message}`));
    client.release(true);
  }
  return refused;
}

test("the calls of this version are on record for the next one", async () => {
  await loadEntries();
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  const calls: Calls = {};
  for (const { name, parameters } of entries().sort((a, b) => (a.name < b.name ? -1 : 1)))
    calls[name] = Object.values(parameters).map((type) => type.replaceAll("?", ""));
  // `npx vitest run lib/platform/db/calls.test.ts --update` records a change while this version is not released.
  const text = `${JSON.stringify(calls, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(`fixtures/calls-${version}.json`);
});

test("the functions accept the calls of every version on record", async () => {
  const files = readdirSync(FIXTURES).filter((file) => /^calls-.*\.json$/.test(file));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files)
    expect([file, await refusedCalls(JSON.parse(readFileSync(`${FIXTURES}/${file}`, "utf8")))]).toEqual([
      file,
      [],
    ]);
});

test("a function that lost a former call is found, and one that gained a default is not", async () => {
  const declare = (parameters: string) =>
    database().pool.query(
      `drop function if exists former_call; create function former_call(${parameters}) returns int language sql as 'select 1'`,
    );
  const calls = { former_call: ["uuid", "text[]"] };
  await declare("p_app uuid, p_uids text[], p_note text default null");
  expect(await refusedCalls(calls)).toEqual([]);
  await declare("p_app uuid, p_uids text[], p_note text");
  expect(await refusedCalls(calls)).toEqual([expect.stringMatching(/^former_call: .* does not exist$/)]);
  await database().pool.query("drop function former_call");
});

test("every function without an entry is called by another function", async () => {
  await loadEntries();
  const functions = await catalogFunctions();
  const names = new Set(entries().map(({ name }) => name));
  const unused = functions.filter(
    ({ name }) =>
      !names.has(name) &&
      !functions.some((other) => other.name !== name && new RegExp(`\\b${name}\\(`).test(other.body)),
  );
  expect(unused.map(({ name }) => name)).toEqual([]);
});

test("values follow the declaration, and jsonb is written as JSON", () => {
  const planted = sqlFunction("planted", {
    app: "uuid",
    rows: jsonb<{ id: number }[]>(),
    note: jsonb<object | null>(),
  }).returns<void>();
  expect(planted.text).toBe("select planted($1, $2, $3) as result");
  expect(planted.values({ note: null, rows: [{ id: 1 }], app: "a" })).toEqual(["a", '[{"id":1}]', null]);
});

test("the compiler refuses a name, a missing, an unknown and a wrong argument", () => {
  const typos = (db: Db) => {
    const planted = sqlFunction("planted", { app: "uuid", uids: "text?[]" }).returns<{ done: boolean }>();
    void db.call(planted, { app: "a", uids: ["u", null] }).then(({ done }) => done);
    // @ts-expect-error A function is called by its entry, not by its name.
    void db.call("planted", ["a", ["u"]]);
    // @ts-expect-error The list is missing.
    void db.call(planted, { app: "a" });
    // @ts-expect-error The list is a text.
    void db.call(planted, { app: "a", uids: "u" });
    // @ts-expect-error There is no `uid`.
    void db.call(planted, { app: "a", uids: [], uid: "u" });
    // @ts-expect-error There is no type of this name.
    sqlFunction("planted", { app: "uid" });
  };
  expect(typos).toBeTypeOf("function");
});

test("the values of a fixed statement are part of its text, because PostgreSQL plans one with parameters again", async () => {
  const fixed = statement("planted_statement", sql`select ${1}::int as number, ${"it's"} as text limit ${2}`);
  expect(fixed.text).not.toContain("$");
  expect(await database().call(fixed, null)).toEqual([{ number: 1, text: "it's" }]);
});
