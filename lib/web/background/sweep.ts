import { type Db, database } from "@/lib/platform/db/client";
import { repeat } from "@/lib/platform/jobs/repeat";
import { log } from "@/lib/platform/log";
import { resumeGranting } from "@/lib/program/campaigns/granting";
import { sweepImports } from "@/lib/program/codes/abandon-import";
import { everyApp } from "@/lib/program/retention/every-app";
import { purgeApps } from "@/lib/program/retention/purge-apps";
import { sweepAccounts, sweepGlobal } from "@/lib/program/retention/sweep-global";
import { sweepSlugs } from "@/lib/program/retention/sweep-slugs";
import { sweepTenant } from "@/lib/program/retention/sweep-tenant";

const INTERVAL = 5 * 60_000;

/**
 * Deletes everything whose retention has ended, and returns the number of deleted rows and imports. Any number of
 * processes may do so at once, because each deletes what the others left.
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
export function startSweeping(sweep: () => Promise<number> = () => sweepOnce(database())): () => void {
  const round = async () => {
    const rows = await sweep();
    if (rows > 0) log().info({ rows }, "swept old rows");
  };
  return repeat({ everyMs: INTERVAL, round, failure: "a sweep failed and will be repeated" });
}
