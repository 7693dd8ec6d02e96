import { and, eq, inArray } from "drizzle-orm";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { codeRequests } from "@/lib/db/schema";
import { fail } from "@/lib/errors";

/**
 * Ends a request that has not brought its codes. What the store has made stays there, to be imported as a file. Throws
 * NOT_FOUND, or CONFLICT where it has ended already.
 */
export async function giveUpRequest(ctx: Context, requestId: string): Promise<void> {
  const one = and(eq(codeRequests.appId, ctx.app.id), eq(codeRequests.id, requestId));
  await ctx.db.transaction(async (db) => {
    const [before] = await db.orm.select().from(codeRequests).where(one).for("update");
    if (!before) return fail("NOT_FOUND", "There is no such request");
    const given = await db.orm
      .update(codeRequests)
      .set({ state: "given_up", endedAt: new Date(), leasedUntil: null })
      .where(and(one, inArray(codeRequests.state, ["asked", "made", "unclear"])))
      .returning({ id: codeRequests.id });
    if (given.length === 0) fail("CONFLICT", "The request has ended already");
    const { offerName, state, amount, storeId } = before;
    await recordAudit(db, ctx, {
      action: "code_request.given_up",
      subject: "code_request",
      subjectId: requestId,
      subjectName: offerName,
      before: { state },
      after: { state: "given_up", amount, storeId },
    });
  });
}
