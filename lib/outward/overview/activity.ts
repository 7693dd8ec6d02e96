import { and, eq, inArray, sql } from "drizzle-orm";
import { platformField } from "@/lib/contract/fields";
import { shownUid } from "@/lib/contract/influencer";
import type { ActivityItem } from "@/lib/contract/overview";
import type { PersonPlace } from "@/lib/contract/person";
import type { WebhookData } from "@/lib/contract/webhook-payloads";
import { outbox, referrers } from "@/lib/platform/db/schema";
import { newestFirst, walkPage } from "@/lib/platform/db/walk";
import { displayName } from "@/lib/program/referrers/display-name";
import type { Context } from "@/lib/tenants/context";

/** The event types that the overview lists. */
const LISTED = [
  "referrer.created",
  "referral.code_assigned",
  "referral.redeemed",
  "referral.reversed",
  "referral.released",
  "reward.earned",
  "reward.claimed",
  "reward.withdrawn",
  "reward.restored",
  "pool.low",
  "pool.exhausted",
  "campaign.activated",
  "campaign.ended",
  "quota.warning",
];

type Event = typeof outbox.$inferSelect;

const textOf = (value: unknown) => (typeof value === "string" ? value : null);
const uidOf = (value: unknown) => (typeof value === "string" && shownUid(value)) || null;
const numberOf = (value: unknown) => (typeof value === "number" ? value : null);

async function namesOf(ctx: Context, ids: string[]) {
  const rows = await ctx.db.orm
    .select({ id: referrers.id, uid: referrers.uid, metadata: referrers.metadata })
    .from(referrers)
    .where(and(eq(referrers.appId, ctx.app.id), inArray(referrers.id, ids)));
  return new Map(rows.map(({ id, uid, metadata }) => [id, displayName(metadata ?? {}) ?? uidOf(uid)]));
}

function toItem({ id, type, createdAt, payload }: Event, names: Map<string, string | null>): ActivityItem {
  const data = payload as Record<string, unknown>;
  const referrerId = textOf(data.referrer_id);
  return {
    id,
    type,
    at: createdAt,
    referrerId,
    referrer: (referrerId && names.get(referrerId)) ?? uidOf(data.uid),
    referralId: textOf(data.referral_id),
    refereeUid: uidOf(data.referee_uid),
    platform: platformField.safeParse(data.platform).data ?? null,
    rewardNumber: numberOf(data.reward_number),
    campaignId: textOf(data.campaign_id),
    poolId: textOf(data.pool_id),
    name: textOf(data.name),
    percent: numberOf(data.percent),
  };
}

/** The newest listed events of an app, among the newest 10,000 that the outbox retains, along its primary key. */
export async function recentActivity(ctx: Context, size: number): Promise<ActivityItem[]> {
  const { data: listed } = await walkPage(ctx.db, outbox, {
    ...newestFirst(outbox.id),
    within: eq(outbox.appId, ctx.app.id),
    filter: inArray(outbox.type, LISTED),
    size,
  });
  const ids = listed.map(({ payload }) => textOf((payload as Record<string, unknown>).referrer_id));
  const names = await namesOf(ctx, [...new Set(ids.filter((id) => id !== null))]);
  const items = listed.map((event) => toItem(event, names));
  const released = items.flatMap(({ type, referralId }) => (type === "referral.released" ? referralId : []));
  // A released referral has no page any more.
  return items.map((item) => (released.includes(item.referralId) ? { ...item, referralId: null } : item));
}

/** Places in line and redemptions of a person. */
interface Known {
  places: readonly PersonPlace[];
  redeemed: readonly { createdAt: Date }[];
}

/**
 * The codes set aside for an end user, under any of these ids, and never fetched, newest first, among the same events.
 * Leaves out codes set aside still or again, of an unapproved place in line, or with a redemption in their time.
 */
export async function unfetchedCodes(ctx: Context, uids: string[], known: Known): Promise<PersonPlace[]> {
  const { data } = await walkPage(ctx.db, outbox, {
    ...newestFirst(outbox.id),
    within: eq(outbox.appId, ctx.app.id),
    filter: and(
      eq(outbox.type, "referral.code_ready"),
      inArray(sql`${outbox.payload} ->> 'referee_uid'`, uids),
    ),
    size: 10,
  });
  return data.flatMap(({ payload, createdAt: at }, index): PersonPlace[] => {
    const {
      referee_uid: uid,
      campaign_id: campaignId,
      platform,
      reserved_until,
    } = payload as WebhookData["referral.code_ready"];
    const reservedUntil = new Date(reserved_until);
    // A late redeem still gets the code until the minute's round.
    const freed = new Date(reservedUntil.getTime() + 120_000);
    const ofCampaign = (row: { campaignId: string }) => row.campaignId === campaignId;
    // An approval restarts the hours of the same code.
    const isRenewed = data
      .slice(0, index)
      .some((later) => later.createdAt <= freed && Object(later.payload).campaign_id === campaignId);
    const isOpen =
      isRenewed ||
      reservedUntil > new Date() ||
      known.places.some((place) => ofCampaign(place) && place.state !== "approved" && place.at < at) ||
      // In any campaign, because another one may have become active.
      known.redeemed.some((row) => row.createdAt >= at && row.createdAt <= freed);
    return isOpen ? [] : [{ uid, campaignId, platform, at, reservedUntil, state: "ended", closed: null }];
  });
}
