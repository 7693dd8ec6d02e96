import { listenForForgottenKeys } from "@/lib/api-keys/forget";
import { flushUses } from "@/lib/api-keys/record";
import { listenForChangedApps } from "@/lib/apps/forget";
import { flushClicks } from "@/lib/clicks/record-click";
import { flushRefusals } from "@/lib/connections/refusals";
import { database } from "@/lib/db/client";
import { listenForChangedDomains } from "@/lib/domains/forget";
import { startJobs } from "@/lib/jobs/start";
import { limits } from "@/lib/limits/limits";
import { log } from "@/lib/log";
import { startSender } from "@/lib/mail/sender";
import { startRounds } from "@/lib/maintenance/rounds";
import { startMaintenance } from "@/lib/maintenance/sweep";
import { returnUnused } from "@/lib/quota/lease";
import { flushRequests } from "@/lib/requests/buffer";
import { shared } from "@/lib/shared";

/** What a process keeps in memory is written this often: when keys were used, and units of quota it does not need. */
const EVERY_MS = 1_000;

async function writeDown(ending: boolean): Promise<void> {
  const db = database();
  const last = ending ? [flushClicks(), flushRequests()] : [];
  const work = [flushUses(db), flushRefusals(db), returnUnused(ending, db), ...last];
  for (const result of await Promise.allSettled(work)) {
    if (result.status === "rejected")
      log().warn({ err: result.reason }, "could not write down what was noted");
  }
}

/**
 * Starts what runs beside the requests of a process, once however often it is called, and returns its orderly end.
 * Also opens the connection to the limits' store, so that the first request does not wait for it.
 */
export function startBackground(): () => Promise<void> {
  return shared("background", () => {
    listenForForgottenKeys();
    listenForChangedApps();
    listenForChangedDomains();
    limits();
    const stopMaintenance = startMaintenance();
    const stopRounds = startRounds();
    const stopSender = startSender();
    const stopJobs = startJobs();
    let running: Promise<void> | undefined;
    const timer = setInterval(() => {
      running ??= writeDown(false).finally(() => {
        running = undefined;
      });
    }, EVERY_MS);
    timer.unref();
    return async () => {
      clearInterval(timer);
      stopMaintenance();
      stopRounds();
      const sent = Promise.all([stopSender(), stopJobs()]);
      await running;
      await writeDown(true);
      await sent;
      limits().close();
      await database().close();
    };
  });
}
