import { and, asc, desc, eq, isNotNull, isNull, type SQL } from "drizzle-orm";
import { getEvent } from "@/lib/confirmations/event";
import type { Context } from "@/lib/context";
import { type ReferralRow, searchText } from "@/lib/contract/referral-list";
import { beginsWith } from "@/lib/db/prefix";
import { referrals } from "@/lib/db/schema";
import { referralRows } from "@/lib/referrals/rows";

const SHOWN = 10;
const { appId, refereeUid, status, reversedAt, createdAt } = referrals;

/** In which state an event of this kind finds its referral. */
const OPEN: Record<string, SQL | undefined> = {
  confirm: eq(status, "code_assigned"),
  reverse: and(eq(status, "redeemed"), isNull(reversedAt)),
  restore: isNotNull(reversedAt),
};

/**
 * Referrals to which an unmatched event may belong, by the beginning of the referee's uid; without one, those that got
 * their code last. Only such as the event would change. Throws NOT_FOUND.
 */
export async function linkCandidates(ctx: Context, eventId: string, text?: string): Promise<ReferralRow[]> {
  const { confirmation } = await getEvent(ctx, eventId);
  const open = OPEN[String(confirmation.kind)];
  if (!open) return [];
  const uid = searchText.parse(text);
  const rows = await ctx.db.orm
    .select()
    .from(referrals)
    .where(and(eq(appId, ctx.app.id), open, uid ? beginsWith(refereeUid, uid) : undefined))
    .orderBy(...(uid ? [asc(refereeUid), desc(createdAt)] : [desc(createdAt)]))
    .limit(SHOWN);
  return referralRows(ctx, rows);
}
