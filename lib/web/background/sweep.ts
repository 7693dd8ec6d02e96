import { databaseTime } from "@/lib/platform/db/chunks";
import type { Db } from "@/lib/platform/db/client";
import { log } from "@/lib/platform/log";
import { resumeGranting } from "@/lib/program/campaigns/granting";
import { sweepImports } from "@/lib/program/codes/abandon-import";
import { purgeApps } from "@/lib/program/retention/purge-apps";
import { sweepAccounts, sweepGlobal } from "@/lib/program/retention/sweep-global";
import { sweepSlugs } from "@/lib/program/retention/sweep-slugs";

/** The steps by their names in the log. */
const STEPS = {
  "rows of no app": sweepGlobal,
  accounts: sweepAccounts,
  slugs: sweepSlugs,
  imports: sweepImports,
  "deleted apps": purgeApps,
};

/**
 * Resumes unfinished granting of rewards, and deletes what has passed its retention, except the rows of apps that still exist.
 * Returns the number of deleted rows and imports. A failed step is logged and fails the round, but stops no other step.
 */
export async function sweepInstallation(db: Db, at?: Date): Promise<number> {
  const now = at ?? (await databaseTime(db));
  const failures: unknown[] = [];
  const finish = (step: string, work: Promise<number>) =>
    work.catch((error: unknown) => {
      log().warn({ err: error, step }, "a step of the sweep failed");
      failures.push(error);
      return 0;
    });
  await finish("rewards", resumeGranting(db));
  let swept = 0;
  for (const [name, step] of Object.entries(STEPS)) swept += await finish(name, step(db, now));
  if (swept > 0) log().info({ rows: swept }, "swept old rows");
  if (failures.length > 0) throw failures[0];
  return swept;
}
