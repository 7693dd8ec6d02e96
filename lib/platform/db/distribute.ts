import { is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import pg from "pg";
import { namedConnection, PINNED_SETTINGS } from "@/lib/platform/db/client";
import * as schema from "@/lib/platform/db/schema";
import { commandLine } from "@/lib/platform/env";

/** Small tables that are searched over all apps at once, so they stay on the coordinator. */
const COORDINATED = ["rounds", "alert_posts", "weekly_emails"];

/** Tables of the coordinator that the functions of an app reach from its server. */
export const REACHED = ["quota_usage", "slug_directory"];

/** Functions that change one row of the coordinator, called directly: on a worker they would return to it twice. */
const COORDINATED_FUNCTIONS = ["take_quota"];

/** Arbitrary, but the same in every process that distributes this database. */
const DISTRIBUTION_LOCK = 7_261_905_116;

const NO_EXTENSION =
  "This database is not on a Citus cluster: connect to the coordinator, and create the extension in the database";

interface Table {
  name: string;
  /** The column of the app, by which the rows of a distributed table are placed; null on the coordinator. */
  column: string | null;
}

/** Whether a database is distributed, completely or in part. */
export async function isDistributed(client: pg.Client): Promise<boolean> {
  const { rows: known } = await client.query("select to_regclass('pg_dist_partition') as name");
  if (!known[0]?.name) return false;
  const { rows } = await client.query(
    "select 1 from pg_dist_partition where logicalrelid = to_regclass('apps') and partmethod = 'h'",
  );
  return rows.length > 0;
}

/** The app's column, by which a table's rows are placed: the first of its primary key; null on the coordinator. */
function appColumn({ name, columns, primaryKeys: [key] }: ReturnType<typeof getTableConfig>): string | null {
  if (name === "apps") return "id";
  const [first] = key?.columns ?? columns.filter(({ primary }) => primary);
  return first?.name === "app_id" && !COORDINATED.includes(name) ? first.name : null;
}

/** The tables of this version with the column by which their rows are placed, `apps` first. */
export function placedTables(): Table[] {
  return Object.values(schema)
    .flatMap((table) => (is(table, PgTable) ? getTableConfig(table) : []))
    .map((table) => ({ name: table.name, column: appColumn(table) }))
    .sort((a, b) => Number(b.name === "apps") - Number(a.name === "apps") || a.name.localeCompare(b.name));
}

const NO_SESSION = "A database is not distributed through a pooler: set DATABASE_DIRECT_URL";

/**
 * Distributes the tables of apps over the servers of a Citus cluster, each app's rows together, and the functions of an
 * app to its server. An interrupted run continues where it ended. Tables with rows are distributed while requests are
 * answered. `url`: the coordinator's own; throws if only a pooler's is known (undefined), or without the extension.
 */
export async function distribute(url: string | undefined, say: (line: string) => void): Promise<void> {
  if (!url) throw new Error(NO_SESSION);
  await withClient(url, async (client) => {
    const { rows } = await client.query("select 1 from pg_extension where extname = 'citus'");
    if (rows.length === 0) throw new Error(NO_EXTENSION);
    // Another connection's transaction holds the lock: tables are distributed outside a transaction, and behind a
    // pooler a session's lock would stay.
    await withClient(url, async (locker) => {
      await locker.query("begin");
      await locker.query("select pg_advisory_xact_lock($1)", [DISTRIBUTION_LOCK]);
      for (const statement of pinStatements(client.database ?? "")) await client.query(statement);
      for (const table of await missingTables(client)) await place(client, table, say);
      await distributeFunctions(client, say);
    });
  });
}

const LIMITS = "statement_timeout,lock_timeout,idle_in_transaction_session_timeout,transaction_timeout";

/** Lifts the time limits that a role may carry for requests, `local`ly for the transaction; older servers lack the last. */
export async function liftLimits(client: pg.Client, local = false): Promise<void> {
  await client.query(
    "select set_config(name, '0', $1) from string_to_table($2, ',') name where current_setting(name, true) is not null",
    [local, LIMITS],
  );
}

/** Connects without the limits that the role of the service may carry, because a large table is copied for hours. */
async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(namedConnection(url, "metacode distribute"));
  client.on("error", () => undefined);
  await client.connect();
  try {
    await liftLimits(client);
    await work(client);
  } finally {
    await client.end();
  }
}

/** The tables of this version that the cluster does not know and that are not only the coordinator's. */
async function missingTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class where oid in (select logicalrelid from pg_dist_partition)",
  );
  const known = new Set(rows.map(({ name }) => name));
  return placedTables().filter(({ name, column }) => !known.has(name) && (column || REACHED.includes(name)));
}

/** Settings of plans and commits. Time limits are missing because the coordinator's connections enforce them. */
const WORKER_SETTINGS = ["synchronous_commit", "enable_seqscan", "jit"] as const;

/**
 * Statements that set on every server what the service sets on its own connections: the coordinator opens its own
 * connections to the workers, whose plans made while a table was empty would read all of it.
 */
export function pinStatements(database: string): string[] {
  return WORKER_SETTINGS.map(
    (name) => `alter database ${pg.escapeIdentifier(database)} set ${name} = '${PINNED_SETTINGS[name]}'`,
  );
}

async function isEmpty(client: pg.Client, { name }: Table): Promise<boolean> {
  const { rows } = await client.query(`select 1 from "${name}" limit 1`);
  return rows.length === 0;
}

async function place(client: pg.Client, table: Table, say: (line: string) => void): Promise<void> {
  const { name, column } = table;
  if (!column) {
    await client.query(`select citus_add_local_table_to_metadata('${name}')`);
    return say(`${name}: on the coordinator, reached from the servers of apps`);
  }
  const empty = await isEmpty(client, table);
  // The concurrent form takes seconds longer, but the table accepts changes meanwhile.
  const create = empty ? "create_distributed_table" : "create_distributed_table_concurrently";
  const beside = name === "apps" ? "" : ", colocate_with => 'apps'";
  await client.query(`select ${create}('${name}', '${column}'${beside})`);
  say(`${name}: distributed by app`);
}

async function distributeFunctions(client: pg.Client, say: (line: string) => void): Promise<void> {
  const { rows } = await client.query<{ signature: string; ofApp: boolean }>(
    `select f.oid::regprocedure::text as signature, f.of_app as "ofApp"
       from (
         select p.oid, p.proargnames[1] = 'p_app' and p.proargtypes[0] = 'uuid'::regtype and p.proname <> all($1) as of_app
           from pg_proc p
          where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
            and not exists (
              select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
         ) f
       left join pg_dist_object o on o.classid = 'pg_proc'::regclass and o.objid = f.oid
      where o.objid is null or f.of_app and o.distribution_argument_index is null
      order by f.oid`,
    [COORDINATED_FUNCTIONS],
  );
  await resetPlans(client);
  for (const { signature, ofApp } of rows) {
    const app = ofApp ? ", 'p_app', colocate_with => 'apps'" : "";
    await client.query(`select create_distributed_function($1::regprocedure${app})`, [signature]);
  }
  if (rows.length > 0) say(`${rows.length} functions: on every server`);
}

/** Lets a cluster plan these functions' statements at each call: it has no generic plan for the partition of an app. */
export async function resetPlans(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ signature: string }>(
    `select p.oid::regprocedure::text as signature from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.proconfig::text like '%plan_cache_mode=%'`,
  );
  for (const { signature } of rows) await client.query(`alter function ${signature} reset plan_cache_mode`);
}

/**
 * Distributes what a migration adds to a distributed database, in the transaction of the migration. Names to `say` the
 * tables with rows, which an interrupted `npm run distribute` has left.
 */
export async function completeDistribution(client: pg.Client, say: (line: string) => void): Promise<void> {
  for (const table of await missingTables(client)) {
    if (!table.column || (await isEmpty(client, table))) await place(client, table, () => undefined);
    else say(`${table.name} is not distributed yet: run \`${commandLine("distribute")}\``);
  }
  await distributeFunctions(client, () => undefined);
}
