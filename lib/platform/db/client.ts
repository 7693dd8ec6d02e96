import { setTimeout as pause } from "node:timers/promises";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import { callsOn, type SqlFunction } from "@/lib/platform/db/calls";
import { noteUnopened, WaitTimeoutError, wasInterrupted } from "@/lib/platform/db/outage";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { singleton } from "@/lib/platform/singleton";

/** The database as verbs use it. Inside {@link Db.transaction} everything runs on one connection. */
export interface Db {
  /** Calls an SQL function in one round trip, as a prepared statement, and returns its result. */
  call<Arguments, Result>(fn: SqlFunction<Arguments, Result>, args: NoInfer<Arguments>): Promise<Result>;
  /** The query builder, for everything off the hot paths. */
  readonly orm: NodePgDatabase;
  /**
   * Runs `work` in a transaction; inside a transaction it joins that one. After a deadlock it runs again, so it must
   * have no effect outside the transaction, such as a request or a count in memory.
   */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

interface Options {
  url: string;
  size?: number;
  /** Milliseconds that a caller waits for a free connection. */
  waitMs?: number;
  /** False behind a transaction-mode pooler, which runs every statement on another connection. */
  sessions?: boolean;
}

/** The settings that every connection of the service needs. */
export const PINNED_SETTINGS = {
  // Durable, except for the leases and successes of webhooks: with `off`, a crash assigned 26 codes twice.
  synchronous_commit: "on",
  // At other levels, functions that wait for a row fail instead of reading what was stored: 4 of 10 parallel redeems.
  default_transaction_isolation: "read committed",
  // Plans are cached, and one made while a table was empty would scan all of it forever, at a quarter of the rate. Set
  // by each function instead, this costs 9% of a call.
  enable_seqscan: "off",
  // The setting above makes plans look expensive enough to compile, which kept two cores busy while idle.
  jit: "off",
  statement_timeout: "5s",
  lock_timeout: "3s",
  idle_in_transaction_session_timeout: "15s",
} as const;

/** With the driver's 10 s, most rounds of an idle service opened a connection, which plans its statements again. */
const IDLE_MS = 120_000;

/**
 * A connection under a name, by which `move` and `restore` recognise a running service. The driver prefers the values
 * in the address, so name and settings are removed from it; its other `options` apply, and the rest stays as written.
 */
export function namedConnection(url: string, name: string, settings: Record<string, string> = {}) {
  const taken = ["options", "application_name", ...Object.keys(settings)];
  const [address = "", query = ""] = url.split(/\?(.*)/s, 2);
  const parameters = query.split("&");
  const left = parameters.filter((text) => !taken.some((own) => new URLSearchParams(text).has(own)));
  const same = left.length === parameters.length;
  const given = new URLSearchParams(query).getAll("options").slice(-1);
  const options = given
    .concat(Object.entries(settings).map(([key, value]) => `-c ${key}=${value.replaceAll(" ", "\\ ")}`))
    .join(" ");
  return {
    connectionString: same ? url : [address, left.join("&")].filter(Boolean).join("?"),
    application_name: name,
    ...(options && { options }),
  };
}

/** A transaction-mode pooler refuses start-up settings; there the role has to carry them. Times are read in ISO style. */
export function connectionOptions(options: Options): pg.PoolConfig {
  const settings = options.sessions === false ? {} : { ...PINNED_SETTINGS, datestyle: "ISO" };
  return {
    ...namedConnection(options.url, "metacode", settings),
    max: options.size ?? 8,
    idleTimeoutMillis: IDLE_MS,
    connectionTimeoutMillis: options.waitMs ?? 2_000,
    query_timeout: 6_000,
    keepAlive: true,
  };
}

/** Milliseconds that a probe waits for the server, unless callers wait longer, and milliseconds until the next one. */
const PROBE_MS = 5_000;
const PROBE_AGAIN_MS = 250;

/**
 * Holds back a process's connections while the server accepts them without answering, as a frozen one does. Once the
 * server is back, it serves every abandoned attempt: after a minute these were 235, which took a busy machine 20 s, in
 * which every new attempt was abandoned as well.
 */
class Gate {
  private opening: Promise<void> | undefined;

  constructor(private readonly config: pg.ClientConfig) {}

  /** Resolves when the server answers again; undefined while it does. */
  get closed(): Promise<void> | undefined {
    return this.opening;
  }

  close(): void {
    this.opening ??= this.untilAnswered().finally(() => {
      this.opening = undefined;
    });
  }

  private async untilAnswered(): Promise<void> {
    while (await this.timesOut()) await pause(PROBE_AGAIN_MS, undefined, { ref: false });
  }

  /** Any other failure is an answer, which the callers should see. */
  private async timesOut(): Promise<boolean> {
    const connectionTimeoutMillis = Math.max(PROBE_MS, this.config.connectionTimeoutMillis ?? 0);
    // The driver's types lack `unref`: a probe keeps no process alive.
    const client = new pg.Client({ ...this.config, connectionTimeoutMillis }) as pg.Client & {
      unref(): void;
    };
    client.on("error", () => undefined);
    const start = performance.now();
    const connecting = client.connect();
    client.unref();
    const failed = await connecting.then(
      () => false,
      () => true,
    );
    void client.end().catch(() => undefined);
    return failed && performance.now() - start >= connectionTimeoutMillis * 0.9;
  }
}

/** The clients of a pool, which connect only while the gate is open and close it when an attempt times out. */
function gatedClient(gate: Gate, waitMs: number): typeof pg.Client {
  /** Less than the pool waits, so that no attempt begins only to be given up at once. */
  const patience = waitMs * 0.9;
  return class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(done: (error: Error) => void): void;
    override connect(done?: (error: Error) => void): Promise<pg.Client> | undefined {
      if (!done) return super.connect();
      const begin = () => {
        // Time spent waiting at the gate does not count as silence of the server.
        const began = performance.now();
        super.connect((error: Error) => {
          if (error) noteUnopened(error);
          if (error && performance.now() - began >= patience) gate.close();
          done(error);
        });
      };
      const { closed } = gate;
      if (closed) {
        let refused = false;
        const refuse = setTimeout(() => {
          refused = true;
          done(new WaitTimeoutError());
        }, patience);
        void closed.then(() => {
          clearTimeout(refuse);
          if (!refused) begin();
        });
      } else begin();
      return undefined;
    }
  };
}

/**
 * Runs `work` between BEGIN and COMMIT on one connection. The listener keeps a dying connection from ending the process,
 * and a broken connection does not return to the pool. (`db.transaction` of the ORM has neither: 121 uncaught errors in
 * 15 restarts.)
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
      call: callsOn(client, sessions),
      orm: drizzle(client),
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

/** Runs one transaction, and up to twice more after an interruption that undoes it. */
export const retryInterrupted = <Result>(run: () => Promise<Result>, more = 2): Promise<Result> =>
  run().catch((error: unknown) => {
    if (more > 0 && wasInterrupted(error)) return retryInterrupted(run, more - 1);
    throw error;
  });

/** A database over its own pool. `close` waits for running statements. */
export function openDatabase(options: Options): Db & { pool: pg.Pool; close(): Promise<void> } {
  const sessions = options.sessions ?? true;
  const config = connectionOptions(options);
  const gate = singleton(`db.gate ${options.url}`, () => new Gate(config));
  const pool = new pg.Pool({ ...config, Client: gatedClient(gate, config.connectionTimeoutMillis ?? 0) });
  const call = callsOn(pool, sessions);
  // Logs the message only: the error carries the client, and the client its password.
  pool.on("error", (error) => log().warn({ reason: error.message }, "an idle database connection was lost"));
  return {
    pool,
    // A call outside a transaction is its own transaction.
    call: (fn, args) => retryInterrupted(() => call(fn, args)),
    orm: drizzle(pool),
    transaction: (work) => retryInterrupted(() => withTransaction(pool, sessions, work)),
    close: () => pool.end(),
  };
}

/** The database of this process, from its environment; one pool for all bundles. */
export function database(): ReturnType<typeof openDatabase> {
  return singleton("database", () => {
    const { DATABASE_URL, DATABASE_POOL_SIZE, DATABASE_WAIT_MS, DATABASE_POOLER } = env();
    if (!DATABASE_URL) throw new Error("DATABASE_URL is not set: start the service with `npm start`");
    return openDatabase({
      url: DATABASE_URL,
      size: DATABASE_POOL_SIZE,
      waitMs: DATABASE_WAIT_MS,
      sessions: DATABASE_POOLER === "none",
    });
  });
}

/** Throws the driver's error when the database does not answer. */
export async function pingDatabase(): Promise<void> {
  await database().pool.query("select 1");
}
