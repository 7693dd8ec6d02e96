import { isStorableUid } from "@/lib/confirmations/storable";
import type { Verdict, VerdictRow } from "@/lib/confirmations/verdict";
import type { Context } from "@/lib/context";
import { isUuid } from "@/lib/contract/uuid";
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
  if (!isUuid(inboxId)) fail("NOT_FOUND");
  const row = await ctx.db.call<VerdictRow>("link_confirmation", [ctx.app.id, inboxId, uid]);
  if (row.verdict === "not_found") fail("NOT_FOUND", "No unmatched event of this id");
  return { status: row.verdict as Verdict, referralId: row.referral_id ?? null };
}
