import { databaseTime } from "@/lib/platform/db/chunks";
import type { Db } from "@/lib/platform/db/client";
import { log } from "@/lib/platform/log";
import { resumeGranting } from "@/lib/program/campaigns/granting";
import { sweepImports } from "@/lib/program/codes/abandon-import";
import { purgeApps } from "@/lib/program/retention/purge-apps";
import { sweepAccounts, sweepGlobal } from "@/lib/program/retention/sweep-global";
import { sweepSlugs } from "@/lib/program/retention/sweep-slugs";

/**
 * Deletes everything whose retention has ended but the rows of living apps, and resumes rewards that are granted in
 * parts. Returns the number of deleted rows and imports.
 */
export async function sweepInstallation(db: Db, at?: Date): Promise<number> {
  const now = at ?? (await databaseTime(db));
  let swept = await sweepGlobal(db, now);
  swept += await sweepAccounts(db, now);
  swept += await sweepSlugs(db, now);
  swept += await sweepImports(db);
  swept += await purgeApps(db, now);
  await resumeGranting(db);
  if (swept > 0) log().info({ rows: swept }, "swept old rows");
  return swept;
}
