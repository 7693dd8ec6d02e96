import pg from "pg";
import { namedConnection } from "@/lib/platform/db/client";
import { liftLimits } from "@/lib/platform/db/distribute";

/** Reads whole tables despite the settings of the role, and gives a value the same text on every server. */
const SETTINGS = {
  enable_seqscan: "on",
  client_encoding: "UTF8",
  timezone: "UTC",
  datestyle: "ISO, YMD",
  intervalstyle: "iso_8601",
  extra_float_digits: "1",
  bytea_output: "hex",
};

/** The oldest version of PostgreSQL that has what the tables and functions use. */
export const OLDEST_VERSION = 15;

/** Connects for a transfer. `role` names the database in errors, which never show the address with its password. */
export async function connectForTransfer(url: string, role: string): Promise<pg.Client> {
  const client = new pg.Client(namedConnection(url, "metacode transfer"));
  client.on("error", () => undefined);
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => undefined);
    const reason = error instanceof Error ? error.message || String(Reflect.get(error, "code")) : "";
    throw new Error(`Cannot use the ${role}: ${reason.split("\n", 1)[0]}`);
  }
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int / 10000 as version",
  );
  const version = rows[0]?.version ?? 0;
  if (version >= OLDEST_VERSION) return client;
  await client.end();
  throw new Error(`The ${role} is PostgreSQL ${version}; Metacode needs ${OLDEST_VERSION} or newer`);
}

/** Begins a transaction whose settings suit a transfer. They end with it, which a transaction-mode pooler requires. */
export async function beginTransfer(client: pg.Client, mode: "snapshot" | "write"): Promise<void> {
  await client.query(mode === "snapshot" ? "begin isolation level repeatable read read only" : "begin");
  await liftLimits(client, true);
  await client.query(
    "select set_config(s.name, s.value, true) from unnest($1::text[], $2::text[]) s (name, value)",
    [Object.keys(SETTINGS), Object.values(SETTINGS)],
  );
}

const POOLED =
  "PgBouncer's idle connections count too: wait until server_idle_timeout has closed them, or send it RECONNECT.";

/** Throws the error while a service, or a command of it, has another connection to the client's database. */
export async function assertUnused(client: pg.Client | pg.Pool, error: string): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_stat_activity
      where datname = current_database() and application_name = 'metacode' and pid <> pg_backend_pid()`,
  );
  if (rowCount) throw new Error(`${error} ${POOLED}`);
}
