import { asc, gt } from "drizzle-orm";
import { sweepImports } from "@/lib/codes/sweep-imports";
import { type Db, database } from "@/lib/db/client";
import { apps } from "@/lib/db/schema";
import { log } from "@/lib/log";
import { CHUNK } from "@/lib/maintenance/chunks";
import { sweepGlobal } from "@/lib/maintenance/sweep-global";
import { sweepSlugs } from "@/lib/maintenance/sweep-slugs";
import { type SweptApp, sweepTenant } from "@/lib/maintenance/sweep-tenant";

const INTERVAL = 5 * 60_000;

const NIL = "00000000-0000-0000-0000-000000000000";

/** Every app with its own times of keeping, a page at a time. */
async function* everyApp(db: Db): AsyncGenerator<SweptApp> {
  let last = NIL;
  for (;;) {
    const page = await db.orm
      .select({ id: apps.id, requestLogDays: apps.requestLogDays })
      .from(apps)
      .where(gt(apps.id, last))
      .orderBy(asc(apps.id))
      .limit(CHUNK);
    yield* page;
    last = page.at(-1)?.id ?? last;
    if (page.length < CHUNK) return;
  }
}

/**
 * Deletes everything that is kept no longer and returns how many rows and imports went. Any number of processes may do it at once:
 * each deletes what the others left.
 */
export async function sweepOnce(db: Db, now = new Date()): Promise<number> {
  let swept = await sweepGlobal(db, now);
  swept += await sweepSlugs(db, now);
  swept += await sweepImports(db);
  for await (const app of everyApp(db)) swept += await sweepTenant(db, app, now);
  return swept;
}

/**
 * Sweeps every few minutes, at a moment of its own so that processes started together do not meet. The next run is
 * set when one has ended, so slow ones never pile up. Returns what stops it.
 */
export function startMaintenance(sweep: () => Promise<number> = () => sweepOnce(database())): () => void {
  let timer: NodeJS.Timeout;
  const plan = () => {
    timer = setTimeout(run, INTERVAL * (0.75 + Math.random() / 2)).unref();
  };
  const run = async () => {
    try {
      const rows = await sweep();
      if (rows > 0) log().info({ rows }, "swept old rows");
    } catch (error) {
      log().warn({ err: error }, "a sweep failed and is tried again");
    }
    if (!stopped) plan();
  };
  let stopped = false;
  plan();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
