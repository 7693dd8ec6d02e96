import { log } from "@/lib/platform/log";
import { singleton } from "@/lib/platform/singleton";

/**
 * Work that waits in rows which say when they are due. Any number of processes may run the same queue: `take` leases
 * rows, so each is worked on by one process at a time, and comes again when its lease ends.
 */
export interface Queue<Item> {
  name: string;
  /** Leases at most `limit` due rows, those due longest first. One statement, so it needs no session. */
  take(limit: number): Promise<Item[]>;
  /** Works on one row and stores the outcome. A failure is logged; the row comes again after its lease. */
  work(item: Item): Promise<void>;
  /** Rows this process works on at once. */
  concurrency: number;
  /** Milliseconds between two looks when nothing was due: work committed elsewhere waits this long at most. */
  pollMs: number;
}

/** Milliseconds until a failed look is repeated: well below the 10 s within which work resumes after an outage. */
const RETRY_MS = 1_000;

/** Milliseconds between two looks that a wake-up causes, so that many commits share one. */
const WAKE_MS = 20;

const wakers = () => singleton("queue-wakers", () => new Map<string, Set<() => void>>());

/** Has this process look for due rows of a queue now: call it after the commit that made them. */
export function wakeQueue(name: string): void {
  for (const wake of wakers().get(name) ?? []) wake();
}

/** Runs a queue in this process. The returned function stops it and waits for the rows under way. */
export function runQueue<Item>(queue: Queue<Item>): () => Promise<void> {
  const runner = new Runner(queue);
  const registered = wakers().get(queue.name) ?? new Set();
  const wake = () => runner.wake();
  wakers().set(queue.name, registered.add(wake));
  const looping = runner.loop();
  return async () => {
    registered.delete(wake);
    runner.stop();
    await looping;
    await runner.drained();
  };
}

class Runner<Item> {
  private readonly working = new Set<Promise<void>>();
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
    await Promise.all(this.working);
  }

  async loop(): Promise<void> {
    const { pollMs, concurrency } = this.queue;
    while (!this.stopped) {
      const free = concurrency - this.working.size;
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

  /** Takes and starts what is due. Returns how many rows it took; undefined where the database did not answer. */
  private async look(limit: number): Promise<number | undefined> {
    const { name } = this.queue;
    try {
      const items = await this.queue.take(limit);
      for (const item of items) this.start(item);
      return items.length;
    } catch (error) {
      log().warn({ queue: name, err: error }, "the queue could not be read; it is tried again");
      return undefined;
    }
  }

  private start(item: Item): void {
    const { name } = this.queue;
    const work = Promise.resolve()
      .then(() => this.queue.work(item))
      .catch((error) => {
        log().warn({ queue: name, err: error }, "a row of the queue failed; it comes again after its lease");
      })
      .finally(() => {
        this.working.delete(work);
        this.rouse();
      });
    this.working.add(work);
  }

  /** Waits until `ms` are over, the queue is woken, a row is done or the runner stops; `deaf` ignores all but the last. */
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
