import { databaseTime } from "@/lib/platform/db/chunks";
import type { Db } from "@/lib/platform/db/client";
import { log } from "@/lib/platform/log";
import { resumeGranting } from "@/lib/program/campaigns/granting";
import { sweepImports } from "@/lib/program/codes/abandon-import";
import { purgeApps } from "@/lib/program/retention/purge-apps";
import { sweepAccounts, sweepGlobal } from "@/lib/program/retention/sweep-global";
import { sweepSlugs } from "@/lib/program/retention/sweep-slugs";

/**
 * Resumes rewards that are granted in parts, and deletes everything whose retention has ended but the rows of living apps.
 * Returns the number of deleted rows and imports. A failure holds up no other step, and fails the round.
 */
export async function sweepInstallation(db: Db, at?: Date): Promise<number> {
  const now = at ?? (await databaseTime(db));
  const failures: unknown[] = [];
  const noteFailure = (error: unknown) => {
    failures.push(error);
    return 0;
  };
  await resumeGranting(db).catch(noteFailure);
  let swept = 0;
  for (const step of [sweepGlobal, sweepAccounts, sweepSlugs, sweepImports, purgeApps])
    swept += await step(db, now).catch(noteFailure);
  if (swept > 0) log().info({ rows: swept }, "swept old rows");
  if (failures.length > 0) throw failures[0];
  return swept;
}
