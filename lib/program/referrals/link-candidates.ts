import { and, eq, isNotNull, isNull, lte, notLike, type SQL } from "drizzle-orm";
import { type ReferralRow, searchText } from "@/lib/contract/referral-list";
import { beginsWith } from "@/lib/platform/db/index-ranges";
import { referrals } from "@/lib/platform/db/schema";
import { newestByTime, walkPage } from "@/lib/platform/db/walk";
import type { Paged } from "@/lib/platform/pagination";
import { getEvent, type InboxEvent } from "@/lib/program/confirmations/event";
import { purchaseOf } from "@/lib/program/confirmations/purchase";
import { referralRows } from "@/lib/program/referrals/rows";
import type { Context } from "@/lib/tenants/context";

const SHOWN = 10;
const { appId, refereeUid, platform, status, reversedAt, reversedBy, createdAt, id } = referrals;

const byTime = newestByTime(createdAt, id);

/** Referees who are not erased. */
const known = notLike(refereeUid, `erased:${"_".repeat(43)}%`);

/** The state in which an event of each kind can change a referral. A reversal by hand is undone by hand: its link could not be undone. */
const CHANGEABLE: Record<string, SQL | undefined> = {
  confirm: eq(status, "code_assigned"),
  reverse: and(eq(status, "redeemed"), isNull(reversedAt)),
  restore: isNotNull(reversedBy),
};

/** Referrals of the event's store; any store where the payload names none. */
function ofStore({ payload }: InboxEvent): SQL | undefined {
  const { store } = purchaseOf(payload);
  return store === "ios" || store === "android" ? eq(platform, store) : undefined;
}

/**
 * Referrals to which an unmatched event may belong, by the beginning of the referee's uid; without a text, the newest. Only
 * those of known referees and of its store that the event would change and whose code was assigned before it. Searches the
 * first 10,000, and returns a cursor if there are more. Throws NOT_FOUND.
 */
export async function linkCandidates(
  ctx: Context,
  eventId: string,
  text?: string,
): Promise<Paged<ReferralRow>> {
  const event = await getEvent(ctx, eventId);
  const { confirmation } = event;
  const changeable = CHANGEABLE[String(confirmation.kind)];
  if (!changeable) return { data: [], nextCursor: null };
  const uid = searchText.parse(text);
  const older = lte(createdAt, event.occurredAt ?? event.createdAt);
  const { data, nextCursor } = await walkPage(ctx.db, referrals, {
    within: and(eq(appId, ctx.app.id), uid ? beginsWith(refereeUid, uid) : older),
    ...(uid ? { keys: [{ by: refereeUid, type: "text" }, ...byTime.keys], order: "asc" } : byTime),
    filter: and(known, changeable, ofStore(event), older),
    size: SHOWN,
  });
  return { data: await referralRows(ctx, data), nextCursor };
}
