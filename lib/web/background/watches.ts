import { ServiceWatch } from "@/lib/outward/operator/watch-service";
import { repairClock } from "@/lib/outward/rounds/clock";
import { database } from "@/lib/platform/db/client";
import { repeat } from "@/lib/platform/jobs/repeat";
import { resealSecrets } from "@/lib/web/background/reseal";
import { pagesBacklog } from "@/lib/web/http/health";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** The first pass waits this long after the start: processes of the previous version, which read no sealed text, have ended. */
const RESEAL_MS = 15 * MINUTE_MS;

const CLOCK_MS = 20 * SECOND_MS;

/**
 * Starts the recurring work that is not a round: sealing, whose pause begins with each process, and the database's clock,
 * which would stop a round when it is set back. Returns the function that stops it.
 */
export function startWatches(): () => void {
  const stops = [
    repeat({
      everyMs: RESEAL_MS,
      round: () => resealSecrets(database()),
      failure: "secrets could not be sealed with the first key and are tried again",
    }),
    repeat({
      everyMs: CLOCK_MS,
      round: async () => {
        await repairClock(database());
      },
      failure: "the database's clock could not be checked",
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Starts the watch over the service, in every role: a worker that is gone cannot report that nothing is done. */
export function watchService(): () => void {
  const watch = new ServiceWatch(database(), pagesBacklog);
  return repeat({
    everyMs: MINUTE_MS,
    round: () => watch.check(),
    failure: "the operator could not be notified",
  });
}
