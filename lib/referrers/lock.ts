import { and, eq } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { isUuid } from "@/lib/contract/uuid";
import { referrers } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { displayName } from "./display-name";

/** A referrer as it is stored. */
export type ReferrerRow = typeof referrers.$inferSelect;

/** A referrer of the app, locked until the transaction ends. Throws NOT_FOUND. */
export async function lockReferrer(ctx: Context, referrerId: string): Promise<ReferrerRow> {
  const one = and(eq(referrers.appId, ctx.app.id), eq(referrers.id, referrerId));
  const [row] = isUuid(referrerId) ? await ctx.db.orm.select().from(referrers).where(one).for("update") : [];
  return row ?? fail("NOT_FOUND", "There is no such referrer");
}

/** How the audit log names a referrer. */
export function auditSubject({ id, slug, metadata }: ReferrerRow) {
  return { subject: "referrer", subjectId: id, subjectName: displayName(metadata ?? {}) ?? slug };
}
