import { setTimeout as pause } from "node:timers/promises";

const AGAIN_MS = 1_000;

/** Longer than a database needs to fail over; meanwhile the queue keeps the lease of the row. */
const PATIENCE_MS = 60_000;

/**
 * Stores the outcome of work, trying again for a minute while the database is away: an outcome that is lost has the
 * work done a second time. Throws the last failure.
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
