import { and, eq, isNotNull, isNull, ne, type SQL } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { ReferrerFilters, ReferrerRow } from "@/lib/contract/referrer-list";
import { referrers } from "@/lib/db/schema";
import { newestFirst, walkPage } from "@/lib/db/walk";
import type { Paged } from "@/lib/page";
import { referrerRows } from "./rows";
import { searchReferrers } from "./search";

const DEFAULT_SIZE = 50;

/** A page of the app's referrers, newest first, or those that a text stands for (see {@link searchReferrers}). */
export async function listReferrers(
  ctx: Context,
  filters: ReferrerFilters,
  size = DEFAULT_SIZE,
): Promise<Paged<ReferrerRow>> {
  const { q, cursor } = filters;
  const [narrow, filter] = conditions(filters);
  const page = q
    ? await searchReferrers(ctx, { text: q, filter: and(narrow, filter), cursor, size })
    : await walkPage(ctx.db, referrers, {
        within: and(eq(referrers.appId, ctx.app.id), narrow),
        ...newestFirst(referrers.id),
        ...{ filter, cursor, size },
      });
  return { ...page, data: await referrerRows(ctx, page.data) };
}

/**
 * What is wanted: first what a partial index holds (`referrers_inactive`, `referrers_campaign`), in its words, then what
 * has to be looked for row by row.
 */
function conditions({ status, campaign }: ReferrerFilters): [SQL | undefined, SQL | undefined] {
  const { status: own, campaignId } = referrers;
  const influencer = campaign && campaign !== "none" ? campaign : undefined;
  const narrow = and(
    status && status !== "active" ? ne(own, "active") : undefined,
    influencer ? and(eq(campaignId, influencer), isNotNull(campaignId)) : undefined,
  );
  return [narrow, and(status && eq(own, status), campaign === "none" ? isNull(campaignId) : undefined)];
}
