import { fail } from "@/lib/errors";
import { shared } from "@/lib/shared";

/** Images that may wait for their turn in a process; who comes behind them is asked to come again. */
const MOST_WAITING = 20;

interface Turns {
  last: Promise<unknown>;
  waiting: number;
}

/**
 * Draws one image after the other: passwords and files need the same four threads. Throws SERVICE_UNAVAILABLE where
 * too many wait.
 */
export async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const turns = shared<Turns>("share-image.turns", () => ({ last: Promise.resolve(), waiting: 0 }));
  if (turns.waiting >= MOST_WAITING) fail("SERVICE_UNAVAILABLE", undefined, { retryAfter: 5 });
  turns.waiting += 1;
  const mine = turns.last.then(work).finally(() => {
    turns.waiting -= 1;
  });
  turns.last = mine.catch(() => undefined);
  return mine;
}
