import type { Context } from "@/lib/context";
import type { InfluencerProfile } from "@/lib/contract/influencer";
import { editInfluencer } from "./edit-influencer";
import { setMetacode } from "./set-metacode";

/** Replaces an influencer's profile and metacode, both or neither. Throws what the two do. */
export async function changeInfluencer(
  ctx: Context,
  { metacode, ...profile }: InfluencerProfile & { metacode: string },
): Promise<void> {
  await ctx.db.transaction(async (db) => {
    const inside = { ...ctx, db };
    await setMetacode(inside, profile.referrerId, metacode);
    await editInfluencer(inside, profile);
  });
}
