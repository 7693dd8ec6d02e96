import { database } from "@/lib/db/client";
import { log } from "@/lib/log";
import { BATCH, deliverDue } from "@/lib/mail/deliver-due";
import { closeTransport } from "@/lib/mail/transport";

/** Someone who waits for a link waits about this long for it to leave. */
const EVERY_MS = 1_000;

/** The pause after a round that failed as a whole, as when the database is away. */
const AFTER_FAILURE_MS = 15_000;

/**
 * Sends mail as it comes due: the next round is set when one has ended, at once where more is waiting. Returns what
 * stops it, which waits for the mails that are on their way.
 */
export function startSender(
  round: () => Promise<number> = () => deliverDue(database()),
): () => Promise<void> {
  let stopped = false;
  let timer: NodeJS.Timeout;
  let running = Promise.resolve();
  const plan = (pause: number) => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = run();
    }, pause).unref();
  };
  const run = async () => {
    try {
      const taken = await round();
      plan(taken === BATCH ? 0 : EVERY_MS);
    } catch (error) {
      log().warn({ err: error }, "the mail queue could not be read and is tried again");
      plan(AFTER_FAILURE_MS);
    }
  };
  plan(EVERY_MS);
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
    closeTransport();
  };
}
