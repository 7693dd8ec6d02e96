import { and, eq, inArray } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { referrers } from "@/lib/db/schema";
import { fail } from "@/lib/errors";

type Status = (typeof referrers.$inferSelect)["status"];

/** What each status can follow. `ended` is final. */
const FROM: Record<Status, Status[]> = {
  active: ["paused"],
  paused: ["active"],
  ended: ["active", "paused"],
};

/** Pauses, resumes or ends a referrer in one guarded update. Throws NOT_FOUND, or CONFLICT with the present status. */
export async function setReferrerStatus(ctx: Context, referrerId: string, status: Status): Promise<void> {
  const one = and(eq(referrers.appId, ctx.app.id), eq(referrers.id, referrerId));
  const moved = await ctx.db.orm
    .update(referrers)
    .set({ status })
    .where(and(one, inArray(referrers.status, FROM[status])))
    .returning({ id: referrers.id });
  if (moved.length > 0) return;
  const [referrer] = await ctx.db.orm.select({ status: referrers.status }).from(referrers).where(one);
  if (!referrer) fail("NOT_FOUND", "There is no such referrer");
  fail("CONFLICT", `The referrer is ${referrer.status} and cannot become ${status}`);
}
