import { z } from "zod";
import { nameField, uuidField } from "@/lib/contract/fields";
import { sqlFunction } from "@/lib/platform/db/calls";
import { type ErrorCode, fail } from "@/lib/platform/errors";
import { parseInput } from "@/lib/platform/parse-input";
import { type ChangedReward, recordWithdrawal } from "@/lib/program/rewards/by-hand";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";

export const reverseInput = z.object({
  referralId: uuidField("referralId"),
  /** Shown in the timeline. */
  reason: nameField("reason"),
  /** Also withdraws the reward that is no longer due after the reversal, unless it is claimed. */
  withdraw: z.literal("true").optional(),
});

export const restoreInput = reverseInput.omit({ withdraw: true });

type Verdict = "OK" | "NOT_FOUND" | "NOT_CONFIRMED" | "DONE" | "REPORTED" | "OWN";

const REVERSE_BY_HAND = sqlFunction("reverse_by_hand", {
  app: "uuid",
  id: "uuid",
  kind: "text",
  withdraw: "boolean",
}).returns<{ verdict: Verdict; reward?: ChangedReward | null }>();

const REFUSALS: Record<Exclude<Verdict, "OK" | "DONE">, [ErrorCode, string]> = {
  NOT_FOUND: ["NOT_FOUND", "There is no such referral. It may have been released: reload the page"],
  NOT_CONFIRMED: [
    "CONFLICT",
    "No purchase has confirmed this referral, so it neither counts nor is reversed",
  ],
  OWN: ["CONFLICT", "Joined IDs make the referrer and the referee one person, so this cannot count again"],
  REPORTED: ["CONFLICT", "The provider reported a refund, so only the provider can undo it"],
};

const DONE = { reverse: "This referral is already reversed", restore: "This referral already counts" };

/** Reverses a confirmed referral, like a refund: it no longer counts. Throws NOT_FOUND, CONFLICT. */
export async function reverseReferral(ctx: Context, input: z.input<typeof reverseInput>): Promise<void> {
  const { referralId, reason, withdraw } = parseInput(reverseInput, input);
  await move(ctx, referralId, "reverse", { reason }, withdraw === "true");
}

/** Undoes a reversal by hand, and the withdrawal of a reward that came with it. Throws NOT_FOUND, CONFLICT. */
export async function restoreReferral(ctx: Context, input: z.input<typeof restoreInput>): Promise<void> {
  const { referralId, reason } = parseInput(restoreInput, input);
  await move(ctx, referralId, "restore", { reason });
}

type Kind = keyof typeof DONE;

async function move(ctx: Context, id: string, kind: Kind, after: { reason: string }, withdraw = false) {
  await ctx.db.transaction(async (db) => {
    const { verdict, reward } = await db.call(REVERSE_BY_HAND, { app: ctx.app.id, id, kind, withdraw });
    if (verdict === "DONE") fail("CONFLICT", DONE[kind]);
    if (verdict !== "OK") fail(...REFUSALS[verdict]);
    const action = kind === "reverse" ? "referral.reversed" : "referral.restored";
    await recordAudit(db, ctx, { action, subject: "referral", subjectId: id, after });
    // The reason is about the referee, whose erasure finds it by the referral.
    if (reward) await recordWithdrawal({ ...ctx, db }, kind, reward, { ...after, referralId: id });
  });
}
