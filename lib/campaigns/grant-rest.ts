import { and, eq, isNotNull } from "drizzle-orm";
import type { Platform } from "@/lib/contract/fields";
import { type Db, database } from "@/lib/db/client";
import { campaignPlatforms } from "@/lib/db/schema";
import { log } from "@/lib/log";
import { grantDue } from "./grant-due";

/** Goes on granting behind an answer that is given already. What a process leaves behind, the sweep takes up. */
export function grantRest(appId: string, campaignId: string, platform: Platform): void {
  grantDue(database(), appId, campaignId, platform).catch((error: unknown) => {
    log().warn({ err: error, campaignId }, "granting stopped and is taken up again");
  });
}

/** Takes up granting that a process left unfinished in an app; returns how many rewards it granted. */
export async function resumeGranting(db: Db, appId: string): Promise<number> {
  const left = await db.orm
    .select({ campaignId: campaignPlatforms.campaignId, platform: campaignPlatforms.platform })
    .from(campaignPlatforms)
    .where(and(eq(campaignPlatforms.appId, appId), isNotNull(campaignPlatforms.grantAfter)));
  let granted = 0;
  for (const { campaignId, platform } of left) {
    granted += (await grantDue(db, appId, campaignId, platform)).granted;
  }
  return granted;
}
