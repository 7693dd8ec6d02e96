import type { Platform } from "@/lib/contract/fields";
import type { Db } from "@/lib/db/client";

/** Rows of progress that one statement looks at: tens of milliseconds, so that confirmations hardly wait. */
const CHUNK = 2_000;

interface Step {
  granted: number;
  done: boolean;
}

/**
 * Grants what changed rules made due on a platform, a chunk at a time; returns how many rewards, and whether it came to
 * the end within `chunks`. Any number of processes may call it: one works, the others leave.
 */
export async function grantDue(
  db: Db,
  appId: string,
  campaignId: string,
  platform: Platform,
  chunks = Number.POSITIVE_INFINITY,
): Promise<Step> {
  let granted = 0;
  for (let run = 0; run < chunks; run++) {
    const step = await db.call<Step>("grant_due", [appId, campaignId, platform, CHUNK]);
    granted += step.granted;
    if (step.done) return { granted, done: true };
  }
  return { granted, done: false };
}
