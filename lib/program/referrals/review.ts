import { and, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import type { ReviewQuery, ReviewRow } from "@/lib/contract/referral-list";
import { sqlFunction } from "@/lib/platform/db/calls";
import type { Db } from "@/lib/platform/db/client";
import { beginsWith } from "@/lib/platform/db/index-ranges";
import { refereesInLine, referrals, referrers } from "@/lib/platform/db/schema";
import { walkPage } from "@/lib/platform/db/walk";
import { fail } from "@/lib/platform/errors";
import type { Paged } from "@/lib/platform/pagination";
import { campaignNames } from "@/lib/program/campaigns/read";
import { endPlaces, setAsideFor } from "@/lib/program/line/line";
import { referrerLabels } from "@/lib/program/referrers/record";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";

const RESERVE_AGAIN = sqlFunction("reserve_again", {
  app: "uuid",
  campaign: "uuid",
  uid: "text",
}).returns<void>();

const SHOWN = 50;

/** A place that is not over and whose referee has no code. A cluster needs the app's id, because the list is a subquery. */
const pending = (appId: string) =>
  and(
    gt(refereesInLine.createdAt, sql`now() - interval '30 days'`),
    sql`not exists (
      select 1 from ${referrals} f
       where f.app_id = ${appId} and f.campaign_id = ${refereesInLine.campaignId}
         and f.referee_uid = ${refereesInLine.refereeUid})`,
  );

/** The places of an app that wait for a review, at most a thousand. */
export const inReview = (appId: string): SQL | undefined =>
  and(eq(refereesInLine.appId, appId), eq(refereesInLine.state, "review"), pending(appId));

/** A page of the redemptions that are held for review, or that were dismissed, in the order of their arrival. */
export async function listReviews(ctx: Context, query: ReviewQuery): Promise<Paged<ReviewRow>> {
  const { appId, state, place, refereeUid } = refereesInLine;
  const page = await walkPage(ctx.db, refereesInLine, {
    within: and(eq(appId, ctx.app.id), eq(state, query.state ?? "review")),
    keys: [{ by: place, type: "uuid" }],
    order: "asc",
    filter: and(pending(ctx.app.id), query.q ? beginsWith(refereeUid, query.q) : undefined),
    cursor: query.cursor,
    size: SHOWN,
  });
  const idsOf = (column: "referrerId" | "campaignId") => page.data.map((row) => row[column]);
  const [labels, names] = await Promise.all([
    referrerLabels(ctx, idsOf("referrerId")),
    campaignNames(ctx, idsOf("campaignId")),
  ]);
  const data = page.data.map((row) => ({
    id: row.place,
    refereeUid: row.refereeUid,
    platform: row.platform,
    createdAt: row.createdAt,
    beyond: row.beyond ?? "referrer_daily_cap",
    referrer: labels.get(row.referrerId) ?? null,
    campaign: names.get(row.campaignId) ?? null,
  }));
  return { ...page, data };
}

/**
 * Approves a redeem over a cap: sets a code aside if the pool has one; otherwise the referee keeps the place in line.
 * Restarts the 48 hours of a code that was set aside before. `seen`: the state that the caller saw, because a colleague may
 * have dismissed the redeem since. Throws NOT_FOUND, and CONFLICT once the referrer has ended.
 */
export async function approveReferee(ctx: Context, placeId: string, seen?: Decided): Promise<void> {
  // Frees a code whose time has ended while the place is still held: after the approval the place would end with it.
  await endPlaces(ctx);
  const { campaignId } = await ctx.db.transaction(async (db) => {
    const approved = await decide(ctx, db, placeId, "waiting", seen ? [seen] : ["review", "dismissed"]);
    await refuseEndedReferrer({ ...ctx, db }, approved.referrerId);
    const { campaignId: campaign, refereeUid: uid } = approved;
    await db.call(RESERVE_AGAIN, { app: ctx.app.id, campaign, uid });
    return approved;
  });
  await setAsideFor(ctx, campaignId);
}

/** Throws CONFLICT for an ended referrer, whose metacode is unknown: an approval would lead to a refusal. */
async function refuseEndedReferrer({ app, db }: Context, id: string): Promise<void> {
  const isEnded = and(eq(referrers.appId, app.id), eq(referrers.id, id), eq(referrers.status, "ended"));
  if ((await db.orm.$count(referrers, isEnded)) > 0)
    fail("CONFLICT", "The referrer has ended: the user needs the metacode of another friend");
}

/** Refuses a redeem over a cap for the rest of the 30 days of its place. Throws NOT_FOUND. */
export async function dismissReferee(ctx: Context, placeId: string): Promise<void> {
  await ctx.db.transaction((db) => decide(ctx, db, placeId, "dismissed", ["review"]));
}

type Decided = "review" | "dismissed";

/** The row's own state decides between two members who decide at once. */
async function decide(
  ctx: Context,
  db: Db,
  placeId: string,
  state: "waiting" | "dismissed",
  from: readonly Decided[],
) {
  const { appId, place, state: former } = refereesInLine;
  const [decided] = await db.orm
    .update(refereesInLine)
    .set({ state })
    .where(and(eq(appId, ctx.app.id), eq(place, placeId), pending(ctx.app.id), inArray(former, [...from])))
    .returning();
  if (!decided) return fail("NOT_FOUND", "This redemption is no longer held");
  await recordAudit(db, ctx, {
    action: state === "waiting" ? "person.approved" : "person.dismissed",
    subject: "person",
    subjectId: decided.refereeUid,
    after: { beyond: decided.beyond, platform: decided.platform },
  });
  return decided;
}
