import { and, eq, inArray } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { codes } from "@/lib/db/schema";

type Code = typeof codes.$inferSelect;

/** The codes that these referrals or rewards have, by the id of either. A replaced one is no longer among them. */
export async function codesOf(ctx: Context, assignmentIds: readonly string[]): Promise<Map<string, Code>> {
  if (assignmentIds.length === 0) return new Map();
  const rows = await ctx.db.orm
    .select()
    .from(codes)
    .where(and(eq(codes.appId, ctx.app.id), inArray(codes.assignmentId, [...assignmentIds])));
  return new Map(rows.map((code) => [code.assignmentId ?? "", code]));
}
