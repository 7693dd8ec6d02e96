import { judgeAgain } from "@/lib/confirmations/replay";
import type { Context } from "@/lib/context";
import { isOutage } from "@/lib/db/outage";
import { log } from "@/lib/log";

/**
 * Judges again what failed, and purchases whose person has redeemed since, within an hour of them. Redeem itself does no
 * work for this: it is the busiest path. Any number of processes may run it.
 */
export async function judgeDue({ app, db }: Context): Promise<void> {
  const ids = await db.call<string[]>("due_events", [app.id]);
  for (const id of ids) {
    try {
      await judgeAgain(db, app.id, id, false);
    } catch (error) {
      if (isOutage(error)) throw error;
      log().warn({ err: error, app: app.id, event: id }, "an event of the inbox could not be judged again");
    }
  }
}
