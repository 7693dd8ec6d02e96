import { EventEmitter, once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import {
  Logger,
  type Runner,
  type RunnerOptions,
  run,
  type TaskList,
  type WorkerEvents,
} from "graphile-worker";
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
  /** Between two starts, where the database is away. */
  againMs?: number;
}

/** No job runs for longer (15 s for a request, and a few waits of seconds for the database). */
const STUCK = "45 seconds";

/**
 * Frees what workers that died have left locked; the library waits for four hours. Only jobs of these kinds: another
 * service may keep its own, longer ones in the same tables.
 */
export async function freeStuck(db: Db, tasks: string[]): Promise<void> {
  await db.orm.execute(sql`select graphile_worker.force_unlock_workers(array(
    select distinct locked_by from graphile_worker.jobs
     where locked_at < now() - ${STUCK}::interval and task_identifier = any(${sql.param(tasks)}::text[])))`);
}

/**
 * The library's errors in our log. It says a line about every job, and warns of having fewer connections than jobs at
 * once, which is meant: a job needs one for a few milliseconds of its seconds.
 */
const logger = new Logger(() => (level, message) => {
  if (level === "error") log().warn({ reason: message }, "the job worker");
});

/**
 * Runs the library until it is `stopped` or has lost a worker, which it does not replace: one that cannot write down
 * that its job is done ends for good, so a restart of the database would end all of them. Returns what still runs.
 */
async function runOnce(options: RunnerOptions, stopped: AbortSignal): Promise<Runner> {
  const lost = new AbortController();
  const events: WorkerEvents = new EventEmitter();
  events.on("worker:fatalError", () => lost.abort());
  const runner = await run({ ...options, events });
  void runner.promise.catch(() => undefined).then(() => lost.abort());
  const over = AbortSignal.any([stopped, lost.signal]);
  if (!over.aborted) await once(over, "abort");
  return runner;
}

/**
 * Works off the queue in this process, with a few connections of its own, so that it takes none from requests. It hears
 * of a new job as soon as that is committed, and begins again whenever the database was away. Returns its orderly end,
 * which waits for what runs.
 */
export function startWorker(options: WorkerOptions): () => Promise<void> {
  const {
    url,
    sessions,
    tasks,
    concurrency = 16,
    pollMs = sessions ? 2_000 : 500,
    againMs = 2_000,
  } = options;
  const db = openDatabase({ url, sessions, size: 4 });
  const taskList: TaskList = Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [name, (payload) => task(db, payload).then(() => undefined)]),
  );
  const settings: RunnerOptions = {
    ...{ pgPool: db.pool, taskList, concurrency, pollInterval: pollMs, logger, parsedCronItems: [] },
    ...{ noHandleSignals: true, noPreparedStatements: !sessions },
  };
  const stopped = new AbortController();
  let ended: Promise<unknown> = Promise.resolve();
  const work = async () => {
    while (!stopped.signal.aborted) {
      try {
        const runner = await runOnce(settings, stopped.signal);
        // The others finish what they have begun, beside those who take their place.
        ended = Promise.all([ended, runner.stop().catch(() => undefined)]);
      } catch (error) {
        log().warn({ err: error }, "the job worker could not start and tries again");
      }
      await pause(againMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  };
  const working = work();
  const stopFreeing = repeat({
    everyMs: 15_000,
    round: () => freeStuck(db, Object.keys(tasks)),
    failure: "stuck jobs were not freed",
  });
  return async () => {
    stopFreeing();
    stopped.abort();
    await working;
    await ended;
    await db.close();
  };
}
