import { eq } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { vanityField } from "@/lib/contract/metacode";
import { slugDirectory } from "@/lib/db/schema";
import { isReserved } from "./reserved";

/** Whether a referrer could have this metacode, and the form in which it would be stored. */
export interface MetacodeState {
  metacode: string;
  state: "free" | "yours" | "taken" | "reserved" | "malformed";
}

/** Looks up a wish before it is sent; making the referrer decides. `yours`: this referrer has it, or had it once. */
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
