import { sql } from "drizzle-orm";
import { sqlFunction } from "@/lib/platform/db/calls";
import type { Context } from "@/lib/tenants/context";

const END_HOLDS = sqlFunction("end_holds", { app: "uuid", limit: "int" }).returns<number>();

/** Holds that one transaction ends: confirmations of their referrers wait some tens of milliseconds. */
const CHUNK = 200;

/** Ids of the apps with holds that are over. */
export const APPS_WITH_ENDED_HOLDS = sql`select app_id from referrals where held and counts_from <= now()`;

/** Ends the holds that are over, so that their referrals count and earn rewards; returns how many. */
export async function endHolds(ctx: Context): Promise<number> {
  let ended = 0;
  for (;;) {
    const chunk = await ctx.db.call(END_HOLDS, { app: ctx.app.id, limit: CHUNK });
    ended += chunk;
    if (chunk < CHUNK) return ended;
  }
}
