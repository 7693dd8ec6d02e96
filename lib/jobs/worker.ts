import { sql } from "drizzle-orm";
import { Logger, run, type TaskList } from "graphile-worker";
import { type Db, openDatabase } from "@/lib/db/client";
import { log } from "@/lib/log";
import { repeat } from "@/lib/maintenance/repeat";

/** What one kind of job does; it may run twice. */
export type Task = (db: Db, payload: unknown) => Promise<unknown>;

interface WorkerOptions {
  url: string;
  /** False behind a transaction-mode pooler: then nobody is told of new jobs, and they are looked for more often. */
  sessions: boolean;
  tasks: Record<string, Task>;
  /** Jobs at once; most of their time they wait for somebody's server. */
  concurrency?: number;
  pollMs?: number;
}

/** No job runs for longer, so one that is locked for longer lost its worker. */
const STUCK = "2 minutes";

/** Frees what workers that died have left locked; the library waits for four hours. */
async function freeStuck(db: Db): Promise<void> {
  await db.orm.execute(sql`select graphile_worker.force_unlock_workers(array(
    select distinct locked_by from graphile_worker.jobs where locked_at < now() - ${STUCK}::interval))`);
}

/**
 * The library's errors in our log. It says a line about every job, and warns of having fewer connections than jobs at
 * once, which is meant: a job needs one for a few milliseconds of its seconds.
 */
const logger = new Logger(() => (level, message) => {
  if (level === "error") log().warn({ reason: message }, "the job worker");
});

/**
 * Works off the queue in this process, with a few connections of its own, so that it takes none from requests. It hears
 * of a new job as soon as that is committed. Returns its orderly end, which waits for what runs.
 */
export async function startWorker(options: WorkerOptions): Promise<() => Promise<void>> {
  const { url, sessions, tasks, concurrency = 16, pollMs = sessions ? 2_000 : 500 } = options;
  const db = openDatabase({ url, sessions, size: 4 });
  const taskList: TaskList = Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [name, (payload) => task(db, payload).then(() => undefined)]),
  );
  const runner = await run({
    ...{ pgPool: db.pool, taskList, concurrency, pollInterval: pollMs, logger, parsedCronItems: [] },
    ...{ noHandleSignals: true, noPreparedStatements: !sessions },
  });
  const stopFreeing = repeat({
    everyMs: 60_000,
    round: () => freeStuck(db),
    failure: "stuck jobs were not freed",
  });
  return async () => {
    stopFreeing();
    await runner.stop().catch(() => undefined);
    await db.close();
  };
}
