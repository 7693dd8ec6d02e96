import { and, eq } from "drizzle-orm";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { referrers } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { auditSubject, lockReferrer, type ReferrerRow } from "./lock";

type Status = ReferrerRow["status"];

/** What each status can follow. `ended` is final. */
const FROM: Record<Status, Status[]> = {
  active: ["paused"],
  paused: ["active"],
  ended: ["active", "paused"],
};

const DONE: Record<Status, string> = { active: "resumed", paused: "paused", ended: "ended" };

/** Pauses, resumes or ends a referrer. Throws NOT_FOUND, or CONFLICT with the present status. */
export async function setReferrerStatus(ctx: Context, referrerId: string, status: Status): Promise<void> {
  await ctx.db.transaction(async (db) => {
    const before = await lockReferrer({ ...ctx, db }, referrerId);
    if (!FROM[status].includes(before.status)) {
      fail("CONFLICT", `The referrer is ${before.status} and cannot become ${status}`);
    }
    await db.orm
      .update(referrers)
      .set({ status })
      .where(and(eq(referrers.appId, ctx.app.id), eq(referrers.id, referrerId)));
    await recordAudit(db, ctx, {
      action: `referrer.${DONE[status]}`,
      ...auditSubject(before),
      before: { status: before.status },
      after: { status },
    });
  });
}
