import { z } from "zod";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { nameField } from "@/lib/contract/name";
import { uuidField } from "@/lib/contract/uuid";
import { type ErrorCode, fail } from "@/lib/errors";
import { parseInput } from "@/lib/parse-input";

export const reverseInput = z.object({
  referralId: uuidField("referralId"),
  /** For whoever reads the timeline later. */
  reason: nameField("reason"),
});

export const restoreInput = reverseInput.pick({ referralId: true });

type Verdict = "OK" | "NOT_FOUND" | "NOT_CONFIRMED" | "DONE" | "REPORTED";

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

/** Takes back a reversal that a person made: the referral counts again. Throws NOT_FOUND, CONFLICT. */
export async function restoreReferral(ctx: Context, input: z.input<typeof restoreInput>): Promise<void> {
  await move(ctx, parseInput(restoreInput, input).referralId, "restore");
}

async function move(ctx: Context, id: string, kind: "reverse" | "restore", after?: Record<string, unknown>) {
  await ctx.db.transaction(async (db) => {
    const { verdict } = await db.call<{ verdict: Verdict }>("reverse_by_hand", [ctx.app.id, id, kind]);
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
