import { and, eq, inArray } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { codeReplacements } from "@/lib/db/schema";

type Replacement = typeof codeReplacements.$inferSelect;

/** The replacements among these referrals or rewards, by the id of either. */
export async function replacementsOf(
  ctx: Context,
  assignmentIds: readonly string[],
): Promise<Map<string, Replacement>> {
  if (assignmentIds.length === 0) return new Map();
  const { appId, assignmentId } = codeReplacements;
  const rows = await ctx.db.orm
    .select()
    .from(codeReplacements)
    .where(and(eq(appId, ctx.app.id), inArray(assignmentId, [...assignmentIds])));
  return new Map(rows.map((row) => [row.assignmentId, row]));
}
