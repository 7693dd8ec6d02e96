import { and, eq, inArray } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { campaigns } from "@/lib/db/schema";

/** Names of these campaigns of the app, by id. */
export async function campaignNames(ctx: Context, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db.orm
    .select({ id: campaigns.id, name: campaigns.name })
    .from(campaigns)
    .where(and(eq(campaigns.appId, ctx.app.id), inArray(campaigns.id, [...new Set(ids)])));
  return new Map(rows.map(({ id, name }) => [id, name]));
}
