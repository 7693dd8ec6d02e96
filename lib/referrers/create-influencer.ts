import { and, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { type InfluencerInput, influencerInput } from "@/lib/contract/influencer";
import { campaigns, referrers } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { parseInput } from "@/lib/parse-input";
import { profileOf, withProfile } from "./profile";
import { reserveVanity } from "./reserve-vanity";

export interface Influencer {
  id: string;
  uid: string;
  metacode: string;
}

/**
 * Makes a referrer of an influencer campaign under a chosen metacode. One without a user id in the app gets one that
 * no app's user has. Throws VALIDATION_ERROR, NOT_FOUND, CONFLICT for a taken metacode or uid.
 */
export async function createInfluencer(ctx: Context, input: InfluencerInput): Promise<Influencer> {
  const given = parseInput(influencerInput, input);
  const { campaignId, metacode: slug, notes = null } = given;
  await requireInfluencerCampaign(ctx, campaignId);
  const id = uuidv7();
  const uid = given.uid ?? `influencer:${id}`;
  const metadata = withProfile(given.metadata ?? {}, given);
  await ctx.db.transaction(async (db) => {
    await reserveVanity(db, ctx.app.id, id, slug);
    const made = await db.orm
      .insert(referrers)
      .values({ appId: ctx.app.id, id, uid, slug, metadata, campaignId, notes })
      .onConflictDoNothing({ target: [referrers.appId, referrers.uid] })
      .returning({ id: referrers.id });
    if (made.length === 0) fail("CONFLICT", "This uid is a referrer already", { field: "uid" });
    await db.call("emit", [ctx.app.id, "referrer.created", { referrer_id: id, uid, metacode: slug }]);
    await recordAudit(db, ctx, {
      action: "referrer.created",
      subject: "referrer",
      subjectId: id,
      subjectName: given.name ?? slug,
      after: { metacode: slug, uid, campaignId, notes, ...profileOf(metadata) },
    });
  });
  return { id, uid, metacode: slug };
}

async function requireInfluencerCampaign(ctx: Context, campaignId: string): Promise<void> {
  const [campaign] = await ctx.db.orm
    .select({ type: campaigns.type, status: campaigns.status })
    .from(campaigns)
    .where(and(eq(campaigns.appId, ctx.app.id), eq(campaigns.id, campaignId)));
  if (!campaign) fail("NOT_FOUND", "There is no such campaign");
  if (campaign.type !== "influencer") {
    fail("VALIDATION_ERROR", "campaignId must be an influencer campaign", { field: "campaignId" });
  }
  if (campaign.status === "ended") fail("CONFLICT", "The campaign has ended");
}
