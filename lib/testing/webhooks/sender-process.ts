import { webhookQueue } from "@/lib/outward/webhooks/queue";
import { SCHEDULE, type Schedule } from "@/lib/outward/webhooks/schedule";
import { openDatabase } from "@/lib/platform/db/client";
import { runQueue } from "@/lib/platform/jobs/queue";

/**
 * Runs as a separate process in tests: sends queued deliveries, on a schedule that is faster by `factor`, with leases of
 * `lease` seconds.
 */
const [, , url = "", factor = "1", lease = "1"] = process.argv;

/** The schedule with shorter waits; the time limit of a request stays. */
function scaled(times: number): Schedule {
  const by = (seconds: number) => seconds / times;
  const { waits, slow_first, slow_most, warn_after, disable_after } = SCHEDULE;
  return {
    ...SCHEDULE,
    waits: waits.map(by),
    lease: Number(lease),
    slow_first: by(slow_first),
    slow_most: by(slow_most),
    warn_after: by(warn_after),
    disable_after: by(disable_after),
  };
}

if (url) {
  const schedule = scaled(Number(factor));
  const db = openDatabase({ url, size: 4, waitMs: 20_000 });
  runQueue({ ...webhookQueue(db, { schedule }), pollMs: 50 });
  process.stdout.write("sending\n");
}
