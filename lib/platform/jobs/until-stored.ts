import { setTimeout as pause } from "node:timers/promises";
import { increase } from "@/lib/platform/counters";
import { log } from "@/lib/platform/log";

const AGAIN_MS = 1_000;

/** Longer than a database needs to fail over; meanwhile the queue extends the lease of the row. */
const PATIENCE_MS = 60_000;

/**
 * Stores the outcome of work, trying again for a minute while the database is away: if the outcome is lost, the work is
 * done a second time. Throws the last failure.
 */
export async function untilStored<Result>(store: () => Promise<Result>): Promise<Result> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await store();
    } catch (error) {
      if (performance.now() + AGAIN_MS > end) throw error;
      await pause(AGAIN_MS);
    }
  }
}

/**
 * Seconds after which work counts as stuck, unless it has many steps. Everything it waits for has its own, far lower
 * limit, so only a fault lasts longer.
 */
export const LONGEST_S = 1_800;

/** Resolves like the work; throws when that takes longer than the given number of seconds, and counts it. */
export async function withinLimit<Result>(work: Promise<Result>, seconds: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      increase("work_given_up");
      reject(new Error(`The work has not ended after ${seconds} s and is given up`));
    }, 1_000 * seconds).unref();
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

/** Adds up the numbers of all steps. A failed step is logged and stops no other; throws the first failure at the end. */
export async function sumOfAll<Step>(
  steps: readonly Step[],
  run: (step: Step) => Promise<number>,
): Promise<number> {
  const failures: unknown[] = [];
  let sum = 0;
  for (const step of steps) {
    sum += await run(step).catch((error: unknown) => {
      log().warn({ err: error }, "a part of the work failed; the others continue");
      failures.push(error);
      return 0;
    });
  }
  if (failures.length > 0) throw failures[0];
  return sum;
}
