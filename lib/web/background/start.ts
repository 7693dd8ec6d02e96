import { shareMetrics } from "@/lib/outward/metrics/registry";
import { ServiceWatch } from "@/lib/outward/operator/watch-service";
import { flushRequests } from "@/lib/outward/request-log/buffer";
import { database } from "@/lib/platform/db/client";
import { closeTransport } from "@/lib/platform/email/transport";
import { env } from "@/lib/platform/env";
import { repeat } from "@/lib/platform/jobs/repeat";
import { limits } from "@/lib/platform/limits/limits";
import { log } from "@/lib/platform/log";
import { singleton } from "@/lib/platform/singleton";
import { startTracing, stopTracing } from "@/lib/platform/tracing";
import { flushClicks } from "@/lib/program/clicks/record-click";
import { drainSpool } from "@/lib/program/confirmations/spool";
import { flushRefusals } from "@/lib/program/connections/prove";
import { settleBudgets } from "@/lib/tenants/api-keys/budget";
import { flushKeyRefusals } from "@/lib/tenants/api-keys/refusals";
import { flushUses } from "@/lib/tenants/api-keys/uses";
import { listenForForgottenKeys } from "@/lib/tenants/api-keys/verify";
import { listenForChangedApps } from "@/lib/tenants/apps/forget";
import { listenForChangedDomains } from "@/lib/tenants/domains/hosts";
import { returnUnused } from "@/lib/tenants/quota/lease";
import { watchSecrets } from "@/lib/web/background/reseal";
import { startQueues } from "@/lib/web/background/rounds";
import { watchClock, watchDatabaseClock } from "@/lib/web/background/watches";
import { pagesBacklog } from "@/lib/web/http/health";

/** Milliseconds between two writes of a process's buffers: uses of keys, refusals, and returned units of quota. */
const FLUSH_MS = 1_000;

async function flushBuffers(ending: boolean): Promise<void> {
  const db = database();
  const last = ending ? [flushClicks(), flushRequests()] : [];
  const keys = [flushUses(db), flushKeyRefusals(db), settleBudgets(ending, db)];
  const work = [...keys, flushRefusals(db), returnUnused(ending, db), ...last];
  for (const result of await Promise.allSettled(work)) {
    if (result.status === "rejected")
      log().warn({ err: result.reason }, "buffered rows could not be written");
  }
}

/** Starts the work that one process can do for all. The returned function stops it and waits for the work under way. */
function startShared(): () => Promise<void> {
  const stopClock = watchDatabaseClock();
  const stopQueues = startQueues();
  return async () => {
    stopClock();
    await stopQueues();
  };
}

const SPOOL_MS = 10_000;

/** The spool is a folder of this machine, so no other machine can empty it. */
function startSpool(): () => void {
  return repeat({
    everyMs: SPOOL_MS,
    round: async () => {
      await drainSpool(database());
    },
    failure: "events that were spooled could not be stored and are tried again",
  });
}

const MINUTE_MS = 60_000;

/** Watches the service, in every role: a worker that has died cannot report that work stands still. */
function watchService(shared: boolean): () => void {
  const watch = new ServiceWatch(database(), pagesBacklog, shared);
  return repeat({
    everyMs: MINUTE_MS,
    round: () => watch.check(),
    failure: "the operator could not be notified",
  });
}

/**
 * Starts the background work of a process and connects to the store of the limits. Returns the function that ends it: queues and
 * rounds at once, the rest when the requests are `drained`; further calls return the same. With `shared: false`, and with
 * `ROLE=web`, the process leaves queues and rounds, which any process may run, to the others.
 */
export function startBackground({
  shared = env().ROLE !== "web",
} = {}): (drained?: Promise<void>) => Promise<void> {
  return singleton("background", () => {
    listenForForgottenKeys();
    listenForChangedApps();
    listenForChangedDomains();
    if (env().METRICS_TOKEN) shareMetrics();
    limits();
    void startTracing();
    const stopShared = shared ? startShared() : async () => undefined;
    const stops = [startSpool(), watchService(shared), watchClock(), watchSecrets(shared)];
    let running: Promise<void> | undefined;
    const timer = setInterval(() => {
      running ??= flushBuffers(false).finally(() => {
        running = undefined;
      });
    }, FLUSH_MS);
    timer.unref();
    return async (drained?: Promise<void>) => {
      const sent = stopShared();
      await drained;
      clearInterval(timer);
      for (const stop of stops) stop();
      await running;
      await flushBuffers(true);
      await sent;
      closeTransport();
      limits().close();
      await stopTracing();
      await database().close();
    };
  });
}
