import { createServer } from "node:net";
import pg from "pg";
import { PINNED_SETTINGS } from "@/lib/platform/db/client";
import { reasonOf } from "@/lib/platform/describe-error";
import { MAX_CONNECTIONS } from "@/lib/platform/embedded-postgres/settings";
import { BACKGROUND_CONNECTIONS, type Env } from "@/lib/platform/env";
import { OLDEST_VERSION } from "@/lib/platform/transfer/connection";
import { listenFailure } from "@/lib/web/server/serve";

/** Throws a one-line error when the port is not free, before anything else is started. */
export async function assertPortFree(host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error) => reject(new Error(listenFailure(error, host, port))));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()));
  });
}

/** Connections reserved for commands, migrations and the server's own workers. */
const RESERVED = 10;

const CONNECT_MS = 15_000;

/** Connections that all processes may open. The pages process, where there is one, does no background work. */
function connectionsOf({ ROLE, DATABASE_POOL_SIZE }: Env, processes: number): number {
  const workers = { all: processes - 1, web: 0, worker: processes }[ROLE];
  return processes * DATABASE_POOL_SIZE + workers * BACKGROUND_CONNECTIONS + RESERVED;
}

/** Runs work. A failure in the operator's own database becomes one line that names its setting; `direct` means past a pooler. */
export async function namingDatabase<Result>(
  { DATABASE_URL, DATABASE_DIRECT_URL }: Pick<Env, "DATABASE_URL" | "DATABASE_DIRECT_URL">,
  work: () => Promise<Result>,
  direct = false,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!DATABASE_URL) throw error;
    const name = direct && DATABASE_DIRECT_URL ? "DATABASE_DIRECT_URL" : "DATABASE_URL";
    throw new Error(`Cannot use the database of ${name}: ${reasonOf(error).split("\n", 1)[0]}`);
  }
}

/**
 * Connects to the operator's own server. Throws as {@link namingDatabase} when that fails, the server is too old or a new
 * database's encoding lacks characters. Returns warnings, one per line, when that of one in use does, when fewer connections
 * are allowed than the processes may open, because requests would fail under load, or when a pooler's role lacks settings.
 */
export async function checkOwnServer(settings: Env, processes: number): Promise<string | undefined> {
  return settings.DATABASE_URL ? namingDatabase(settings, () => checkServer(settings, processes)) : undefined;
}

async function checkServer(settings: Env, processes: number): Promise<string | undefined> {
  const { DATABASE_URL: connectionString, DATABASE_POOLER } = settings;
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number; most: number; encoding: string; used: boolean }>(
      `select current_setting('server_version_num')::int / 10000 as version, current_setting('server_encoding') as encoding,
              current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
              - coalesce(current_setting('reserved_connections', true)::int, 0) as most,
              to_regclass('referrers') is not null as used`,
    );
    const [found = { version: 0, most: 0, encoding: "", used: false }] = rows;
    if (found.version < OLDEST_VERSION)
      throw new Error(`it is PostgreSQL ${found.version}, and Metacode needs ${OLDEST_VERSION} or newer`);
    // Behind a pooler, the server's connection limit says nothing about the clients'.
    const limits =
      DATABASE_POOLER === "none"
        ? connectionsWarning(settings, processes, Math.min(found.most, await ownLimit(client)))
        : await missingSettings(client);
    return [encodingWarning(found), limits].filter(Boolean).join("\n") || undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Throws for a new database; an update stops no service that needs no other characters. SQL_ASCII stores bytes as they are. */
function encodingWarning({ encoding, used }: { encoding: string; used: boolean }): string | undefined {
  if (encoding === "UTF8" || encoding === "SQL_ASCII") return undefined;
  const lacking = `its encoding is ${encoding}, which lacks most characters: create a database with ENCODING 'UTF8'`;
  if (!used) throw new Error(lacking);
  return `Some requests fail in the database of DATABASE_URL: ${lacking}, and move to it`;
}

function connectionsWarning(settings: Env, processes: number, most: number): string | undefined {
  const needed = connectionsOf(settings, processes);
  if (needed <= most) return undefined;
  return (
    `The server of DATABASE_URL allows ${most} connections, and ${processes} processes with ${settings.DATABASE_POOL_SIZE} ` +
    `each (DATABASE_POOL_SIZE) and their background work may open ${needed}: raise its max_connections, ` +
    "or the limit of the role or database, or lower DATABASE_POOL_SIZE"
  );
}

/** The connections that the role and the database allow; unlimited where the server hides its roles. */
async function ownLimit(client: pg.Client): Promise<number> {
  const limits = await client
    .query<{ most: number | null }>(
      `select least(nullif(rolconnlimit, -1), nullif(datconnlimit, -1)) as most
         from pg_roles, pg_database where rolname = session_user and datname = current_database() and not rolsuper`,
    )
    .catch(() => undefined);
  return limits?.rows[0]?.most ?? Number.POSITIVE_INFINITY;
}

/** The warning about a role without the settings that a direct connection sets itself. */
async function missingSettings(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string; value: string }>(
    "select * from json_each_text($1) wanted (name, value) where current_setting(name) <> value",
    [JSON.stringify(PINNED_SETTINGS)],
  );
  if (rows.length === 0) return undefined;
  const list = rows.map(({ name, value }) => `${name}=${value}`).join(", ");
  return `The role of DATABASE_URL lacks settings that a pooler cannot pass on (docs/guides/self-hosting.md): ${list}`;
}

/** Throws a one-line error when the pools of all processes exceed the embedded server's connections. */
export function assertConnections(settings: Env, processes: number): void {
  const { DATABASE_URL, DATABASE_POOL_SIZE } = settings;
  const needed = connectionsOf(settings, processes);
  if (DATABASE_URL || needed <= MAX_CONNECTIONS) return;
  throw new Error(
    `Bad environment variable DATABASE_POOL_SIZE: ${processes} processes (WEB_PROCESSES and one for pages) with ` +
      `${DATABASE_POOL_SIZE} connections each and their background work need ${needed} connections, more than the ` +
      `${MAX_CONNECTIONS} of the embedded PostgreSQL`,
  );
}
