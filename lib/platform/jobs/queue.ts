import { type SQL, sql } from "drizzle-orm";
import { broadcast, onBroadcast } from "@/lib/platform/broadcast/broadcast";
import { statement } from "@/lib/platform/db/calls";
import type { Db } from "@/lib/platform/db/client";
import { noteFailure } from "@/lib/platform/db/outage";
import { env } from "@/lib/platform/env";
import { repeat } from "@/lib/platform/jobs/repeat";
import { LONGEST_S, withinLimit } from "@/lib/platform/jobs/until-stored";
import { log } from "@/lib/platform/log";
import { singleton } from "@/lib/platform/singleton";

/** Seconds for which a row belongs to the process that took it. The rows of a killed process are free after that. */
export const LEASE_S = 8;

/**
 * Work that waits in rows with a time at which they are due. Any number of processes may run the same queue: `take`
 * leases rows for a few seconds and `extend` renews the leases of those under way, so one process at a time works on a
 * row, for at most `longest` seconds, and another takes it soon after that process has died.
 */
export interface Queue<Item> {
  name: string;
  /** Selects the due rows, longest due first, along the index that `take` reads. */
  due: SQL;
  /** Leases at most `limit` due rows, the most urgent first. One statement, so it needs no session. */
  take(limit: number): Promise<Item[]>;
  /** Extends the leases of rows under way to {@link lease} from now; a row that has ended meanwhile stays as it is. */
  extend(items: Item[]): Promise<unknown>;
  /** Seconds of a lease. */
  lease: number;
  /** Works on one row and stores the outcome. A failure is logged; the row comes again after its lease. */
  work(item: Item): Promise<void>;
  /** Seconds after which work on a row is given up; {@link LONGEST_S} by default. */
  longest?: number;
  /** Rows on which this process works at once. */
  concurrency: number;
  /** Rows that one `take` may lease; by default as many as are free. */
  atOnce?: number;
  /** Milliseconds between two polls without due rows, unless the queue is woken. */
  pollMs?: number;
}

/** Queues are woken when rows are due ({@link runQueues}); their own polls only make up for a failed look-up. */
const POLL_MS = 60_000;

/**
 * Milliseconds between two looks for due rows, give or take a quarter: the longest wait of work committed by other
 * processes. Together with a lease, it stays below the 10 s within which the work of a killed process resumes.
 */
const LOOK_MS = 1_500;

/** Milliseconds until a failed poll is repeated: well below the 10 s within which work resumes after an outage. */
const RETRY_MS = 1_000;

/** Milliseconds between two polls after wake-ups, so that many commits share one. */
const WAKE_MS = 50;

const WAKE = "queue.wake";

const wakers = () => singleton("queue-wakers", () => new Map<string, Set<() => void>>());

/**
 * Makes this process look for due rows of a queue now, or the other processes if this one does not run the queue. Call
 * it after the commit that made the rows due. With `ROLE=web` no process of the service runs queues.
 */
export function wakeQueue(name: string): void {
  const registered = wakers().get(name);
  if (registered?.size) for (const wake of registered) wake();
  else if (env().ROLE !== "web") void broadcast({ kind: WAKE, name });
}

/**
 * Runs several queues in this process. One statement looks for the due rows of all of them: with one poll per queue, an
 * idle process sends four times as many. Returns the function that stops them and waits for rows in progress.
 */
export function runQueues(db: Db, queues: readonly Queue<unknown>[]): () => Promise<void> {
  const stops = queues.map((queue) => runQueue(queue));
  const look = lookForDueRows(queues);
  const stopLooking = repeat({
    everyMs: LOOK_MS,
    round: async () => {
      for (const { name } of await db.call(look, null)) wakeQueue(name);
    },
    failure: "the queues could not be read; retrying",
  });
  return async () => {
    stopLooking();
    await Promise.all(stops.map((stop) => stop()));
  };
}

function lookForDueRows(queues: readonly Pick<Queue<unknown>, "name" | "due">[]) {
  const looks = queues.map(
    ({ name, due }) => sql`select ${name}::text as name where exists (select from (${due} limit 1) due)`,
  );
  return statement<{ name: string }>("look_for_due_rows", sql.join(looks, sql` union all `));
}

/** Runs a queue in this process. The returned function stops it and waits for rows in progress. */
export function runQueue<Item>(queue: Queue<Item>): () => Promise<void> {
  const runner = new Runner(queue);
  const registered = wakers().get(queue.name) ?? new Set();
  const wake = () => runner.wake();
  wakers().set(queue.name, registered.add(wake));
  const stopListening = onBroadcast(WAKE, ({ name }) => {
    if (name === queue.name) wake();
  });
  const looping = runner.loop();
  return async () => {
    stopListening();
    registered.delete(wake);
    runner.stop();
    await looping;
    await runner.drained();
  };
}

/** Leases are extended this often within their time, so that one extension may fail or be late. */
const EXTENSIONS = 4;

class Runner<Item> {
  private readonly working = new Map<Promise<void>, { item: Item; since: number }>();
  private heartbeat: NodeJS.Timeout | undefined;
  private extending = false;
  /** The database did not answer: leases may have ended, so they are extended before anything is taken. */
  private overdue = false;
  private stopped = false;
  private woken = false;
  private rouse: () => void = () => undefined;

  constructor(private readonly queue: Queue<Item>) {}

  wake(): void {
    this.woken = true;
    this.rouse();
  }

  stop(): void {
    this.stopped = true;
    this.rouse();
  }

  async drained(): Promise<void> {
    await Promise.all(this.working.keys());
  }

  async loop(): Promise<void> {
    const { pollMs = POLL_MS, concurrency, atOnce = concurrency } = this.queue;
    while (!this.stopped) {
      const free = Math.min(concurrency - this.working.size, atOnce);
      if (free === 0) {
        await this.rest(Number.POSITIVE_INFINITY);
        continue;
      }
      this.woken = false;
      const taken = await this.look(free);
      if (taken === undefined) await this.rest(RETRY_MS, true);
      else if (taken < free && !this.woken) await this.rest(pollMs * (0.75 + Math.random() / 2));
      // Many commits wake the queue within milliseconds of one another.
      if (taken !== free && !this.stopped) await pause(WAKE_MS);
    }
  }

  /** Takes due rows and starts work on them. Returns their number; undefined if the database did not answer. */
  private async look(limit: number): Promise<number | undefined> {
    const { name } = this.queue;
    try {
      if (this.overdue) await this.extend(0);
      const items = await this.queue.take(limit);
      for (const item of items) this.start(item);
      return items.length;
    } catch (error) {
      this.overdue = true;
      noteFailure(error);
      log().warn({ queue: name, err: error }, "the queue could not be read; retrying");
      return undefined;
    }
  }

  /** Extends the leases of the rows that have been under way for the given number of milliseconds. */
  private async extend(ms: number): Promise<void> {
    const before = performance.now() - ms;
    const items = [...this.working.values()].filter(({ since }) => since <= before).map(({ item }) => item);
    if (items.length > 0) await this.queue.extend(items);
    this.overdue = false;
  }

  private beat(): void {
    const ms = (this.queue.lease * 1_000) / EXTENSIONS;
    this.heartbeat ??= setInterval(() => {
      if (this.extending) return;
      this.extending = true;
      this.extend(ms / 2)
        .catch((error) => {
          this.overdue = true;
          log().warn({ queue: this.queue.name, err: error }, "leases could not be extended; retrying");
        })
        .finally(() => {
          this.extending = false;
        });
    }, ms);
  }

  private rested(): void {
    if (this.working.size > 0) return;
    clearInterval(this.heartbeat);
    this.heartbeat = undefined;
  }

  private start(item: Item): void {
    const { name, longest = LONGEST_S } = this.queue;
    const began = Promise.resolve().then(() => this.queue.work(item));
    const work = withinLimit(began, longest)
      .catch((error) => {
        log().warn({ queue: name, err: error }, "a row of the queue failed; it is retried after its lease");
      })
      .finally(() => {
        this.working.delete(work);
        this.rested();
        this.rouse();
      });
    this.working.set(work, { item, since: performance.now() });
    this.beat();
  }

  /**
   * Waits until `ms` have passed, the queue is woken, a row is done or the runner stops; `deaf` ignores all but the
   * last.
   */
  private rest(ms: number, deaf = false): Promise<void> {
    return new Promise((resolve) => {
      const timer = Number.isFinite(ms) ? setTimeout(done, ms) : undefined;
      const rouse = () => {
        if (!deaf || this.stopped) done();
      };
      this.rouse = rouse;
      if (this.stopped) done();
      function done() {
        clearTimeout(timer);
        resolve();
      }
    });
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
