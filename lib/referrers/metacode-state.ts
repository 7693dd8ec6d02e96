import { eq } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { MetacodeState } from "@/lib/contract/influencer-view";
import { vanityField } from "@/lib/contract/metacode";
import { slugDirectory } from "@/lib/db/schema";
import { isReserved } from "./reserved";

/** Looks up a wish before it is sent; making the referrer decides. */
export async function metacodeState(ctx: Context, text: string, referrerId?: string): Promise<MetacodeState> {
  const parsed = vanityField.safeParse(text);
  if (!parsed.success) return { metacode: text, state: "malformed" };
  const metacode = parsed.data;
  if (isReserved(metacode)) return { metacode, state: "reserved" };
  const [owner] = await ctx.db.orm.select().from(slugDirectory).where(eq(slugDirectory.slug, metacode));
  if (!owner) return { metacode, state: "free" };
  const own = owner.appId === ctx.app.id && owner.referrerId === referrerId;
  return { metacode, state: own ? "yours" : "taken" };
}
