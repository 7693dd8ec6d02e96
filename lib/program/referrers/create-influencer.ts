import { and, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { type InfluencerInput, influencerInput } from "@/lib/contract/influencer";
import { campaigns, referrers } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { parseInput } from "@/lib/platform/parse-input";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { emitEvent } from "@/lib/tenants/events/emit";
import { reserveMetacode } from "./metacode";
import { profileOf, withProfile } from "./record";

export interface Influencer {
  id: string;
  uid: string;
  metacode: string;
}

/**
 * Creates a referrer of an influencer campaign with a chosen metacode. Without a uid it gets one that no app's user
 * can have. Throws VALIDATION_ERROR, NOT_FOUND, CONFLICT for a taken metacode or uid, RATE_LIMITED.
 */
export async function createInfluencer(ctx: Context, input: InfluencerInput): Promise<Influencer> {
  const influencer = parseInput(influencerInput, input);
  const { campaignId, metacode: slug, notes = null } = influencer;
  await requireInfluencerCampaign(ctx, campaignId);
  const id = uuidv7();
  const uid = influencer.uid ?? `influencer:${id}`;
  const metadata = withProfile(influencer.metadata ?? {}, influencer);
  await ctx.db.transaction(async (db) => {
    await reserveMetacode({ ...ctx, db }, id, slug);
    const inserted = await db.orm
      .insert(referrers)
      .values({ appId: ctx.app.id, id, uid, slug, metadata, campaignId, notes })
      .onConflictDoNothing({ target: [referrers.appId, referrers.uid] })
      .returning({ id: referrers.id });
    if (inserted.length === 0) fail("CONFLICT", "This uid is already a referrer", { field: "uid" });
    await emitEvent({ ...ctx, db }, "referrer.created", { referrer_id: id, uid, metacode: slug });
    await recordAudit(db, ctx, {
      action: "referrer.created",
      subject: "referrer",
      subjectId: id,
      subjectName: influencer.name ?? slug,
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
