import { count, eq } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { landingTexts } from "@/lib/db/schema";

/** How many own texts an app has in each language that has any. */
export async function countOwnTexts(ctx: Context): Promise<Record<string, number>> {
  const rows = await ctx.db.orm
    .select({ language: landingTexts.language, texts: count() })
    .from(landingTexts)
    .where(eq(landingTexts.appId, ctx.app.id))
    .groupBy(landingTexts.language);
  return Object.fromEntries(rows.map(({ language, texts }) => [language, texts]));
}
