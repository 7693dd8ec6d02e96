import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import { PATIENCE_MS } from "@/lib/db/line";
import { statementText } from "@/lib/db/statement";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { shared } from "@/lib/shared";
import * as schema from "./schema";

/** What a verb needs of the database. Inside {@link Db.transaction} everything runs on the one connection. */
export interface Db {
  /** Calls an SQL function of ours in one round trip, prepared, and returns its `jsonb`. */
  call<T>(name: string, values: readonly unknown[]): Promise<T>;
  /** The query builder, for everything that is not hot. */
  readonly orm: NodePgDatabase<typeof schema>;
  /** All or nothing; inside a transaction it joins the one that runs. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

interface Options {
  url: string;
  size?: number;
  /** False behind a transaction-mode pooler, which gives every statement another connection. */
  sessions?: boolean;
}

/**
 * Connection settings. Durable commits are pinned on the connection: with `synchronous_commit=off` a crash handed 26
 * codes to two people. Sequential scans are a last resort, because connections keep their plans: one made while a table
 * was empty reads all of it for ever (a quarter of the rate; set in the function instead it costs 9 % of each call).
 * A transaction-mode pooler refuses start-up settings; there the role has to carry them.
 */
export function connection(options: Options): pg.PoolConfig {
  const base = {
    connectionString: options.url,
    application_name: "metacode",
    max: options.size ?? 8,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: 6_000,
    keepAlive: true,
  };
  if (options.sessions === false) return base;
  return {
    ...base,
    statement_timeout: 5_000,
    lock_timeout: 3_000,
    idle_in_transaction_session_timeout: 15_000,
    options: "-c synchronous_commit=on -c enable_seqscan=off",
  };
}

function caller(client: pg.Pool | pg.ClientBase, sessions: boolean): Db["call"] {
  return async <T>(name: string, values: readonly unknown[]): Promise<T> => {
    const text = statementText(name, values.length);
    const query = sessions ? { name, text, values: [...values] } : { text, values: [...values] };
    const { rows } = await client.query<{ result: T }>(query);
    return rows[0]?.result as T;
  };
}

/**
 * Runs `work` between BEGIN and COMMIT on one connection. The listener is what keeps a dying connection from ending
 * the process; a broken connection is thrown away instead of returning to the pool. (`db.transaction` of the ORM has
 * neither: 121 uncaught errors in 15 restarts.)
 */
async function withTransaction<T>(
  pool: pg.Pool,
  sessions: boolean,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on("error", onError);
  try {
    await client.query("begin");
    const db: Db = {
      call: caller(client, sessions),
      orm: drizzle(client, { schema }),
      transaction: (inner) => inner(db),
    };
    const result = await work(db);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.off("error", onError);
    client.release(broken);
  }
}

/** A database over a pool of its own. `close` waits for what runs. */
export function openDatabase(options: Options): Db & { pool: pg.Pool; close(): Promise<void> } {
  const sessions = options.sessions ?? true;
  const pool = new pg.Pool(connection(options));
  // The error carries the client, and the client its password: only the words are logged.
  pool.on("error", (error) => log().warn({ reason: error.message }, "lost an idle database connection"));
  return {
    pool,
    call: caller(pool, sessions),
    orm: drizzle(pool, { schema }),
    transaction: (work) => withTransaction(pool, sessions, work),
    close: () => pool.end(),
  };
}

/** The database of this process, as the environment says; one pool however many bundles ask for it. */
export function database(): ReturnType<typeof openDatabase> {
  return shared("database", () => {
    const { DATABASE_URL, DATABASE_POOL_SIZE, DATABASE_POOLER } = env();
    if (!DATABASE_URL) throw new Error("DATABASE_URL is not set: start the service with `npm start`");
    return openDatabase({
      url: DATABASE_URL,
      size: DATABASE_POOL_SIZE,
      sessions: DATABASE_POOLER === "none",
    });
  });
}
