import { resumeGranting } from "@/lib/campaigns/grant-rest";
import { sweepImports } from "@/lib/codes/sweep-imports";
import { type Db, database } from "@/lib/db/client";
import { log } from "@/lib/log";
import { everyApp } from "@/lib/maintenance/every-app";
import { purgeApps } from "@/lib/maintenance/purge-apps";
import { repeat } from "@/lib/maintenance/repeat";
import { sweepAccounts } from "@/lib/maintenance/sweep-accounts";
import { sweepGlobal } from "@/lib/maintenance/sweep-global";
import { sweepSlugs } from "@/lib/maintenance/sweep-slugs";
import { sweepTenant } from "@/lib/maintenance/sweep-tenant";

const INTERVAL = 5 * 60_000;

/**
 * Deletes everything that is kept no longer and returns how many rows and imports went. Any number of processes may do it at once:
 * each deletes what the others left.
 */
export async function sweepOnce(db: Db, now = new Date()): Promise<number> {
  let swept = await sweepGlobal(db, now);
  swept += await sweepAccounts(db, now);
  swept += await sweepSlugs(db, now);
  swept += await sweepImports(db);
  swept += await purgeApps(db, now);
  for await (const app of everyApp(db)) {
    swept += await sweepTenant(db, app, now);
    await resumeGranting(db, app.id);
  }
  return swept;
}

/** Sweeps every few minutes until the returned function is called. */
export function startMaintenance(sweep: () => Promise<number> = () => sweepOnce(database())): () => void {
  const round = async () => {
    const rows = await sweep();
    if (rows > 0) log().info({ rows }, "swept old rows");
  };
  return repeat({ everyMs: INTERVAL, round, failure: "a sweep failed and is tried again" });
}
