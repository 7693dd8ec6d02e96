import { z } from "zod";
import { maskCode } from "@/lib/contract/code-file";
import { nameField, uuidField } from "@/lib/contract/fields";
import { sqlFunction } from "@/lib/platform/db/calls";
import { type ErrorCode, fail } from "@/lib/platform/errors";
import { parseInput } from "@/lib/platform/parse-input";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";

export const byHandInput = z.object({
  referralId: uuidField("referralId"),
  /** Shown in the audit log. */
  reason: nameField("reason"),
});

type ByHandInput = z.input<typeof byHandInput>;

const CONFIRM_BY_HAND = sqlFunction("confirm_by_hand", { app: "uuid", id: "uuid" }).returns<{
  verdict: "OK" | "NOT_FOUND" | "CONFIRMED";
}>();

/** Confirms an open referral whose purchase no provider reported; it may earn a reward. Throws NOT_FOUND, CONFLICT. */
export async function confirmByHand(ctx: Context, input: ByHandInput): Promise<void> {
  const { referralId, reason } = parseInput(byHandInput, input);
  await ctx.db.transaction(async (db) => {
    const { verdict } = await db.call(CONFIRM_BY_HAND, { app: ctx.app.id, id: referralId });
    if (verdict === "NOT_FOUND")
      fail("NOT_FOUND", "There is no such referral. It may have been released: reload the page");
    if (verdict === "CONFIRMED") fail("CONFLICT", "This referral is already confirmed");
    const subject = { subject: "referral", subjectId: referralId };
    await recordAudit(db, ctx, { action: "referral.confirmed_by_hand", ...subject, after: { reason } });
  });
}

type Released =
  | { verdict: "OK"; referee_uid: string; code: string | null }
  | { verdict: "NOT_FOUND" | "CONFIRMED" };

const RELEASE_REDEMPTION = sqlFunction("release_redemption", { app: "uuid", id: "uuid" }).returns<Released>();

const RELEASE_REFUSALS: Record<"NOT_FOUND" | "CONFIRMED", [ErrorCode, string]> = {
  NOT_FOUND: ["NOT_FOUND", "There is no such referral. It may have been released: reload the page"],
  CONFIRMED: ["CONFLICT", "This redemption has been confirmed, so it cannot be released"],
};

/**
 * Undoes an unconfirmed redemption, for example with the wrong friend's metacode or on the wrong platform: the code becomes
 * void, and the referee may redeem again. Throws NOT_FOUND, CONFLICT.
 */
export async function releaseRedemption(ctx: Context, input: ByHandInput): Promise<{ refereeUid: string }> {
  const { referralId, reason } = parseInput(byHandInput, input);
  return ctx.db.transaction(async (db) => {
    const released = await db.call(RELEASE_REDEMPTION, { app: ctx.app.id, id: referralId });
    if (released.verdict !== "OK") return fail(...RELEASE_REFUSALS[released.verdict]);
    await recordAudit(db, ctx, {
      action: "referral.released",
      subject: "referral",
      subjectId: referralId,
      subjectName: released.referee_uid,
      before: { code: released.code && maskCode(released.code) },
      after: { reason },
    });
    return { refereeUid: released.referee_uid };
  });
}
