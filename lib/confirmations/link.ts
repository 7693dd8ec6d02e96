import { recordAudit } from "@/lib/audit/record";
import { eventSubject, getEvent } from "@/lib/confirmations/event";
import { isStorableUid } from "@/lib/confirmations/storable";
import type { Verdict, VerdictRow } from "@/lib/confirmations/verdict";
import type { Context } from "@/lib/context";
import { fail } from "@/lib/errors";

/**
 * Gives an unmatched event of the inbox to a person by hand and applies it as if it had named them. Returns what
 * became of it, `unmatched` where that person has no open referral. Throws NOT_FOUND and VALIDATION_ERROR.
 */
export async function linkConfirmation(
  ctx: Context,
  inboxId: string,
  uid: string,
): Promise<{ status: Verdict; referralId: string | null }> {
  if (!isStorableUid(uid)) {
    fail("VALIDATION_ERROR", "`uid` must be a text of 1 to 255 characters", { field: "uid" });
  }
  return ctx.db.transaction(async (db) => {
    const event = await getEvent({ ...ctx, db }, inboxId);
    const row = await db.call<VerdictRow>("link_confirmation", [ctx.app.id, inboxId, uid]);
    if (row.verdict === "not_found") fail("NOT_FOUND", "No unmatched event of this id");
    const linked = { status: row.verdict as Verdict, referralId: row.referral_id ?? null };
    // An event that stays unmatched has not changed.
    if (linked.referralId) {
      await recordAudit(db, ctx, {
        ...{ action: "event.linked", ...eventSubject(event), before: { verdict: "unmatched" } },
        after: { verdict: linked.status, referralId: linked.referralId },
      });
    }
    return linked;
  });
}
