import { and, eq, isNotNull, isNull, type SQL } from "drizzle-orm";
import { getEvent } from "@/lib/confirmations/event";
import type { Context } from "@/lib/context";
import { type ReferralRow, searchText } from "@/lib/contract/referral-list";
import { beginsWith } from "@/lib/db/prefix";
import { referrals } from "@/lib/db/schema";
import { type Key, walkPage } from "@/lib/db/walk";
import { referralRows } from "@/lib/referrals/rows";

const SHOWN = 10;
const { appId, refereeUid, status, reversedAt, createdAt, id } = referrals;

const BY_TIME: Key[] = [
  { by: createdAt, type: "timestamptz" },
  { by: id, type: "uuid" },
];

/** In which state an event of this kind finds its referral. */
const OPEN: Record<string, SQL | undefined> = {
  confirm: eq(status, "code_assigned"),
  reverse: and(eq(status, "redeemed"), isNull(reversedAt)),
  restore: isNotNull(reversedAt),
};

/**
 * Referrals to which an unmatched event may belong, by the beginning of the referee's uid; without one, those that got
 * their code last. Only such as the event would change, among the first 10,000 of either. Throws NOT_FOUND.
 */
export async function linkCandidates(ctx: Context, eventId: string, text?: string): Promise<ReferralRow[]> {
  const { confirmation } = await getEvent(ctx, eventId);
  const open = OPEN[String(confirmation.kind)];
  if (!open) return [];
  const uid = searchText.parse(text);
  const { data } = await walkPage(ctx.db, referrals, {
    within: and(eq(appId, ctx.app.id), uid ? beginsWith(refereeUid, uid) : undefined),
    keys: uid ? [{ by: refereeUid, type: "text" }, ...BY_TIME] : BY_TIME,
    order: uid ? "asc" : "desc",
    ...{ filter: open, size: SHOWN },
  });
  return referralRows(ctx, data);
}
