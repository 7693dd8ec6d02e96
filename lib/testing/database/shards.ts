import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import pg from "pg";
import { inject } from "vitest";
import { resetPlans } from "@/lib/platform/db/distribute";
import { installFunctions } from "@/lib/platform/db/functions";
import { administer, databaseUrl } from "@/lib/testing/database/template";
import type { TestDatabase } from "@/lib/testing/database/test-database";

/** Number of shards, as in a small cluster; an app has the same partition number in every table. */
export const SHARDS = 8;

/** Tables that are read before the app is known; a sharded cluster has them in a separate keyspace. */
const DIRECTORIES = ["api_keys", "landing_domains", "provider_connections", "slug_directory"];

/** Tables of a workspace, whose rows may name an app. */
const WORKSPACES = ["audit_log"];

/** Sends the plan of every statement to the client as a notice, statements in functions included. */
const SETTINGS = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_nested_statements": "on",
  "auto_explain.log_level": "notice",
  // A custom plan shows the partitions of one app; a generic plan names them all.
  plan_cache_mode: "force_custom_plan",
};

/** The statements of a migration as DDL of a cluster that is sharded by app. */
function sharded(statement: string): string[] {
  const [, table = ""] = /^\s*CREATE TABLE "(\w+)"/.exec(statement) ?? [];
  if (/^\s*(--.*\n)*\s*ALTER TABLE \w+ SET \(/.test(statement)) return [];
  const column = table === "apps" ? "id" : "app_id";
  if (
    !table ||
    DIRECTORIES.includes(table) ||
    WORKSPACES.includes(table) ||
    !statement.includes(`"${column}"`)
  ) {
    // A partitioned table has no concurrent builds, and an empty one needs none.
    return [statement.replace(/INDEX CONCURRENTLY/, "INDEX")];
  }
  const parts = Array.from(
    { length: SHARDS },
    (_, part) =>
      `create table ${table}_p${part} partition of ${table} for values with (modulus ${SHARDS}, remainder ${part})`,
  );
  return [`${statement.trim().replace(/;$/, "")} partition by hash (${column})`, ...parts];
}

/** A database whose tenant tables are hash-partitioned by app, with unchanged functions. */
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
  await client.query("begin");
  await installFunctions(client);
  await resetPlans(client);
  await client.query("commit");
  await client.end();
  const drop = async () => {
    await administer(server.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  return { url, drop };
}

/** A statement that ran: its text and the partitions that its plan reads or changes, such as `codes_p3`. */
export interface StatementPlan {
  text: string;
  partitions: string[];
}

/** Collects the plans of every statement that the pool's connections run from now on. */
export function watchPlans(pool: pg.Pool): StatementPlan[] {
  const plans: StatementPlan[] = [];
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

/** The statements that need more than one shard. */
export function scatteredStatements(plans: StatementPlan[]): string[] {
  const shards = (plan: StatementPlan) =>
    new Set(plan.partitions.map((name) => name.replace(/^.*_p/, ""))).size;
  return plans.filter((plan) => shards(plan) > 1).map(({ text }) => text);
}
