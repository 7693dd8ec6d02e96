import { and, eq } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { normalizeMetacode } from "@/lib/contract/fields";
import type { ReferralFilters, ReferralRow } from "@/lib/contract/referral-list";
import { beginsWith } from "@/lib/db/prefix";
import { clicks, referrals, referrers } from "@/lib/db/schema";
import { newestByTime, type Walk, walkPage } from "@/lib/db/walk";
import type { Paged } from "@/lib/page";
import { during, referralFilter } from "./filter";
import { clickRows, referralRows } from "./rows";

const DEFAULT_SIZE = 50;

/**
 * A page of the app's referrals, newest first. A search for a metacode gives those of its referrer, any other text those
 * of the referees whose uid begins with it, in the order of their uids.
 */
export async function listReferrals(
  ctx: Context,
  filters: ReferralFilters,
  size = DEFAULT_SIZE,
): Promise<Paged<ReferralRow>> {
  const referrer = filters.referrer ?? (await referrerOfMetacode(ctx, filters.q));
  const { cursor } = filters;
  if (filters.status === "clicked") {
    if (filters.q && !referrer) return { data: [], nextCursor: null };
    const page = await walkPage(ctx.db, clicks, { ...clickWalk(ctx, filters, referrer), cursor, size });
    return { ...page, data: await clickRows(ctx, page.data) };
  }
  const uid = referrer ? undefined : filters.q;
  const page = await walkPage(ctx.db, referrals, {
    ...(uid ? byReferee(ctx, uid, filters) : byTime(ctx, filters, referrer)),
    ...{ cursor, size },
  });
  return { ...page, data: await referralRows(ctx, page.data) };
}

type Way = Pick<Walk, "within" | "keys" | "order" | "filter">;

function byTime(ctx: Context, filters: ReferralFilters, referrer: string | undefined): Way {
  const { appId, referrerId, createdAt, id } = referrals;
  return {
    within: and(
      eq(appId, ctx.app.id),
      referrer ? eq(referrerId, referrer) : undefined,
      during(createdAt, filters),
    ),
    ...newestByTime(createdAt, id),
    filter: referralFilter(filters),
  };
}

function byReferee(ctx: Context, uid: string, filters: ReferralFilters): Way {
  const { appId, refereeUid, createdAt, id } = referrals;
  return {
    within: and(eq(appId, ctx.app.id), beginsWith(refereeUid, uid)),
    keys: [{ by: refereeUid, type: "text" }, ...newestByTime(createdAt, id).keys],
    order: "asc",
    filter: and(during(createdAt, filters), referralFilter(filters)),
  };
}

/** A click is of no platform and no campaign, and nobody's uid is known. */
function clickWalk(ctx: Context, filters: ReferralFilters, referrer: string | undefined): Way {
  const { appId, referrerId, createdAt, id } = clicks;
  return {
    within: and(eq(appId, ctx.app.id), during(createdAt, filters)),
    ...newestByTime(createdAt, id),
    filter: referrer ? eq(referrerId, referrer) : undefined,
  };
}

async function referrerOfMetacode(ctx: Context, text: string | undefined): Promise<string | undefined> {
  if (!text) return undefined;
  const [found] = await ctx.db.orm
    .select({ id: referrers.id })
    .from(referrers)
    .where(and(eq(referrers.appId, ctx.app.id), eq(referrers.slug, normalizeMetacode(text))));
  return found?.id;
}
