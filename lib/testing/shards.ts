import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import pg from "pg";
import { inject } from "vitest";
import { functionTexts } from "@/lib/db/functions";
import type { TestDatabase } from "@/lib/testing/database";
import { administer, databaseUrl } from "@/lib/testing/template";

/** As many as a small cluster has; each table's partition of one app has the same number. */
export const SHARDS = 8;

/** Looked up before the app is known; a sharded cluster keeps them in a keyspace of their own. */
const DIRECTORIES = ["api_keys", "landing_domains", "provider_connections", "slug_directory"];

/** Of a workspace; an entry may name the app that it concerns. */
const WORKSPACES = ["audit_log"];

/** Every statement's plan is sent to the client as a notice, those inside functions too. */
const SETTINGS = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_nested_statements": "on",
  "auto_explain.log_level": "notice",
  // A plan made for the app at hand shows which partitions it needs; a general one names them all.
  plan_cache_mode: "force_custom_plan",
};

/** What a migration says, as DDL of a cluster sharded by the app. */
function sharded(statement: string): string[] {
  const [, table = ""] = /^\s*CREATE TABLE "(\w+)"/.exec(statement) ?? [];
  if (/^\s*(--.*\n)*\s*ALTER TABLE \w+ SET \(/.test(statement)) return [];
  const column = table === "apps" ? "id" : "app_id";
  if (
    !table ||
    DIRECTORIES.includes(table) ||
    WORKSPACES.includes(table) ||
    !statement.includes(`"${column}"`)
  )
    return [statement];
  const parts = Array.from(
    { length: SHARDS },
    (_, part) =>
      `create table ${table}_p${part} partition of ${table} for values with (modulus ${SHARDS}, remainder ${part})`,
  );
  return [`${statement.trim().replace(/;$/, "")} partition by hash (${column})`, ...parts];
}

/** A database whose tenant tables are hash-partitioned by the app, with the functions as they are. */
export async function shardedDatabase(): Promise<TestDatabase> {
  const server = inject("testServer");
  const name = `${server.run}_${randomBytes(6).toString("hex")}`;
  await administer(server.url, `CREATE DATABASE ${name}`);
  for (const [setting, value] of Object.entries(SETTINGS)) {
    await administer(server.url, `ALTER DATABASE ${name} SET ${setting} = '${value}'`);
  }
  const url = databaseUrl(server.url, name);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const migrations = readMigrationFiles({ migrationsFolder: join(process.cwd(), "drizzle") });
  for (const statement of migrations.flatMap((migration) => migration.sql).flatMap(sharded)) {
    await client.query(statement);
  }
  for (const text of functionTexts()) await client.query(text);
  await client.end();
  const drop = async () => {
    await administer(server.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  return { url, drop };
}

/** A statement as it ran: its text and the partitions that its plan reads or changes, `codes_p3` and the like. */
export interface Plan {
  text: string;
  partitions: string[];
}

/** Plans of everything that the pool's connections run from now on. */
export function watchPlans(pool: pg.Pool): Plan[] {
  const plans: Plan[] = [];
  pool.on("connect", (client) => {
    client.on("notice", ({ message = "" }) => {
      const [, text = "", plan = ""] =
        /plan:\nQuery Text: ([\s\S]*?)\n((?:Query Parameters|\S[^\n]*\(cost=)[\s\S]*)/.exec(message) ?? [];
      if (!text) return;
      plans.push({ text, partitions: [...new Set(plan.match(/\b[a-z_]+_p\d+\b(?!_)/g) ?? [])] });
    });
  });
  return plans;
}

/** Statements that need more than one shard. */
export function scattered(plans: Plan[]): string[] {
  const shards = (plan: Plan) => new Set(plan.partitions.map((name) => name.replace(/^.*_p/, ""))).size;
  return plans.filter((plan) => shards(plan) > 1).map(({ text }) => text);
}
