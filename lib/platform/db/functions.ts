import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { sqlState } from "@/lib/platform/db/outage";
import { RETIRED_FUNCTIONS } from "@/lib/platform/db/retired-functions";

/** PostgreSQL's answer to a changed parameter name or result type of the same argument list. */
const CHANGED_DECLARATION = "42P13";

/** The paths of all SQL function files, each beside the verb that calls it. Their order does not matter. */
export function functionFiles(root = process.cwd()): string[] {
  return readdirSync(join(root, "lib"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".sql"))
    .map((path) => join("lib", path))
    .sort();
}

/** The functions that a file declares. */
export function declaredFunctions(text: string): string[] {
  return [...new Set([...text.matchAll(/\bcreate or replace function (\w+)/g)].map(([, name = ""]) => name))];
}

/** Creates the functions of all files and drops retired ones, in the transaction of `client`. */
export async function installFunctions(client: pg.Client, root = process.cwd()): Promise<void> {
  await installFiles(
    client,
    functionFiles(root).map((file) => join(root, file)),
  );
  await dropFunctions(client, await storedFunctions(client, RETIRED_FUNCTIONS));
}

/**
 * Creates the functions of these files, in the transaction of `client`, and drops their overloads with other argument
 * lists. Returns the names.
 */
export async function installFiles(client: pg.Client, paths: readonly string[]): Promise<string[]> {
  const texts = paths.map((path) => readFileSync(path, "utf8"));
  const names = texts.flatMap(declaredFunctions);
  const before = new Map((await storedFunctions(client, names)).map(({ oid, version }) => [oid, version]));
  for (const text of texts) await createFunctions(client, text);
  // `create or replace` rewrites the row, so an unchanged row is an overload that files no longer declare.
  const after = await storedFunctions(client, names);
  await dropFunctions(
    client,
    after.filter(({ oid, version }) => before.get(oid) === version),
  );
  return names;
}

/** Creates the functions of a file; one whose declaration PostgreSQL cannot replace is dropped first. */
async function createFunctions(client: pg.Client, text: string): Promise<void> {
  await client.query("savepoint function_file");
  try {
    await client.query(text);
  } catch (error) {
    if (sqlState(error) !== CHANGED_DECLARATION) throw error;
    await client.query("rollback to savepoint function_file");
    await dropFunctions(client, await storedFunctions(client, declaredFunctions(text)));
    await client.query(text);
  }
}

interface StoredFunction {
  oid: number;
  /** The transaction that wrote the row. */
  version: string;
  /** `name(type, ...)`, qualified where necessary. */
  signature: string;
}

/** The functions with these names in our functions' schema, except those of extensions. */
async function storedFunctions(client: pg.Client, names: readonly string[]): Promise<StoredFunction[]> {
  const { rows } = await client.query<StoredFunction>(
    `select p.oid, p.xmin::text as version, p.oid::regprocedure::text as signature
       from pg_proc p
      where p.pronamespace = quote_ident(current_schema())::regnamespace and p.proname = any($1) and p.prokind = 'f'
        and not exists (
          select 1 from pg_depend d
           where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`,
    [names],
  );
  return rows;
}

async function dropFunctions(client: pg.Client, functions: StoredFunction[]): Promise<void> {
  for (const { signature } of functions) await client.query(`drop function ${signature}`);
}
