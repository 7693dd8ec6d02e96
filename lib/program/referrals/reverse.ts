import { z } from "zod";
import { nameField, uuidField } from "@/lib/contract/fields";
import { sqlFunction } from "@/lib/platform/db/calls";
import { type ErrorCode, fail } from "@/lib/platform/errors";
import { parseInput } from "@/lib/platform/parse-input";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";

export const reverseInput = z.object({
  referralId: uuidField("referralId"),
  /** Shown in the timeline. */
  reason: nameField("reason"),
});

export const restoreInput = reverseInput.pick({ referralId: true });

type Verdict = "OK" | "NOT_FOUND" | "NOT_CONFIRMED" | "DONE" | "REPORTED";

const REVERSE_BY_HAND = sqlFunction("reverse_by_hand", {
  app: "uuid",
  id: "uuid",
  kind: "text",
}).returns<{ verdict: Verdict }>();

const REFUSALS: Record<Exclude<Verdict, "OK" | "DONE">, [ErrorCode, string]> = {
  NOT_FOUND: ["NOT_FOUND", "There is no such referral"],
  NOT_CONFIRMED: ["CONFLICT", "No purchase has confirmed this referral, so there is nothing to reverse"],
  REPORTED: ["CONFLICT", "The provider reported a refund. Only its own event can take that back"],
};

/**
 * Marks a confirmed referral as reversed, as a refund does: it no longer counts, and a reward already earned stays.
 * Throws NOT_FOUND, CONFLICT.
 */
export async function reverseReferral(ctx: Context, input: z.input<typeof reverseInput>): Promise<void> {
  const { referralId, reason } = parseInput(reverseInput, input);
  await move(ctx, referralId, "reverse", { reason });
}

/** Undoes a reversal by hand: the referral counts again. Throws NOT_FOUND, CONFLICT. */
export async function restoreReferral(ctx: Context, input: z.input<typeof restoreInput>): Promise<void> {
  await move(ctx, parseInput(restoreInput, input).referralId, "restore");
}

async function move(ctx: Context, id: string, kind: "reverse" | "restore", after?: Record<string, unknown>) {
  await ctx.db.transaction(async (db) => {
    const { verdict } = await db.call(REVERSE_BY_HAND, { app: ctx.app.id, id, kind });
    if (verdict === "DONE") {
      fail(
        "CONFLICT",
        kind === "reverse" ? "This referral is reversed already" : "This referral counts already",
      );
    }
    if (verdict !== "OK") fail(...REFUSALS[verdict]);
    const action = kind === "reverse" ? "referral.reversed" : "referral.restored";
    await recordAudit(db, ctx, { action, subject: "referral", subjectId: id, after });
  });
}
