import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { declaredFunctions, functionFiles } from "@/lib/platform/db/functions";
import { migrate } from "@/lib/platform/db/migrate";
import { readCatalog } from "@/lib/testing/database/catalog";
import { administer, databaseUrl } from "@/lib/testing/database/template";
import { useService } from "@/lib/testing/service";

useService();

const dump = gunzipSync(readFileSync("lib/platform/db/fixtures/first-version.sql.gz")).toString();
const name = `${inject("testServer").run}_${randomBytes(6).toString("hex")}`;
let former: pg.Pool;
let fresh: pg.Pool;

beforeAll(async () => {
  const { url } = inject("testServer");
  await administer(url, `create database ${name}`);
  fresh = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 1 });
  former = new pg.Pool({ connectionString: databaseUrl(url, name), max: 1 });
  await former.query(dump);
  // The dump empties the search path of its connection.
  await former.query("reset search_path");
});
afterAll(async () => {
  await Promise.all([former.end(), fresh.end()]);
  await administer(inject("testServer").url, `drop database ${name} with (force)`);
});

const functions = async (pool: pg.Pool) => {
  const { rows } = await pool.query(
    `select p.oid::regprocedure::text as signature, pg_get_function_result(p.oid) as result, md5(p.prosrc) as body
       from pg_proc p where p.pronamespace = 'public'::regnamespace order by 1`,
  );
  return rows;
};

test("a database of the first version starts: its tables stay, and its functions are those of this version", async () => {
  const tables = await readCatalog(former);
  const before = (await functions(former)).map(({ signature }) => signature);
  expect(before).toContain("judge_event(uuid,provider_events,boolean,boolean)");
  expect(before).toContain("import_codes(uuid,uuid,text,text,text,text)");

  await migrate(databaseUrl(inject("testServer").url, name));

  const after = await functions(former);
  expect(after).toEqual(await functions(fresh));
  const names = functionFiles().flatMap((file) => declaredFunctions(readFileSync(file, "utf8")));
  expect(after.map(({ signature }) => signature.replace(/\(.*/, "")).sort()).toEqual(names.sort());
  expect(await readCatalog(former)).toEqual(await readCatalog(fresh));
  expect(tables.length).toBeGreaterThan(20);
  expect(
    (await former.query("select count(*)::int as count from drizzle.__drizzle_migrations")).rows,
  ).toEqual((await fresh.query("select count(*)::int as count from drizzle.__drizzle_migrations")).rows);
});

test("the migration of busy endpoints also follows its first form, which was withdrawn and had another time", async () => {
  const [column = ""] = readFileSync("drizzle/0043_busy_endpoints.sql", "utf8").split(
    "--> statement-breakpoint",
  );
  expect((await fresh.query(column)).command).toBe("ALTER");
});
