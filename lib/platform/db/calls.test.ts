import { resolve } from "node:path";
import { expect, test } from "vitest";
import { jsonb, SQL_FUNCTIONS, sqlFunction } from "@/lib/platform/db/calls";
import { type Db, database } from "@/lib/platform/db/client";
import { productionCode } from "@/lib/testing/rules/tree";
import { useService } from "@/lib/testing/service";

useService();

interface CatalogFunction {
  name: string;
  parameters: [name: string, type: string][];
  body: string;
}

/** Our functions as the database knows them; parameters without `p_`. */
async function catalogFunctions(): Promise<CatalogFunction[]> {
  const { rows } = await database().pool.query<CatalogFunction>(`
    select p.proname as name, p.prosrc as body, coalesce((
             select json_agg(json_build_array(regexp_replace(p.proargnames[a.n], '^p_', ''), a.type::regtype::text)
                      order by a.n)
               from unnest(p.proargtypes::oid[]) with ordinality as a (type, n)), '[]') as parameters
      from pg_proc p where p.pronamespace = 'public'::regnamespace order by 1`);
  return rows;
}

/** `uuid?[]` as the catalogue names it: `uuid[]`. */
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
  expect(SQL_FUNCTIONS.map(({ name }) => name).sort()).toEqual([...names].sort());
  expect(names).toEqual([...new Set(names)]);
  const catalog = new Map((await catalogFunctions()).map(({ name, parameters }) => [name, parameters]));
  for (const { name, parameters } of SQL_FUNCTIONS) {
    const declared = Object.entries(parameters).map(async ([parameter, type]) => [
      parameter,
      await catalogType(type),
    ]);
    expect([name, await Promise.all(declared)]).toEqual([name, catalog.get(name)]);
  }
});

test("every function without an entry is called by another function", async () => {
  await loadEntries();
  const functions = await catalogFunctions();
  const entries = new Set(SQL_FUNCTIONS.map(({ name }) => name));
  const unused = functions.filter(
    ({ name }) =>
      !entries.has(name) &&
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
