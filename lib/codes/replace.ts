import { z } from "zod";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { maskCode } from "@/lib/contract/code-file";
import { nameField } from "@/lib/contract/name";
import { uuidField } from "@/lib/contract/uuid";
import { type ErrorCode, fail } from "@/lib/errors";
import { parseInput } from "@/lib/parse-input";

export const replaceCodeInput = z.object({
  /** The referral or the reward that the code was given for. */
  assignmentId: uuidField("assignmentId"),
  /** For whoever reads the timeline later. */
  reason: nameField("reason"),
});

/** What `replace_code` returns. */
type Result =
  | { verdict: "OK"; old: string; new: string }
  | { verdict: "NOT_FOUND" | "CONFIRMED" | "REPLACED" | "SAME_OFFER" | "NO_CODES_AVAILABLE" };

const REFUSALS: Record<Exclude<Result["verdict"], "OK">, [ErrorCode, string]> = {
  NOT_FOUND: ["NOT_FOUND", "No code was given for this"],
  CONFIRMED: ["CONFLICT", "A purchase has confirmed this code, so it was not dead"],
  REPLACED: ["CONFLICT", "This code was replaced already, which is done once"],
  SAME_OFFER: [
    "CONFLICT",
    "All codes left in the pool are of a store offer that this person has had. Add codes of another offer",
  ],
  NO_CODES_AVAILABLE: ["CONFLICT", "The pool has no other free code. Add codes to it and try again"],
};

/**
 * Gives the holder of a dead code another one of the same pool, once; the old one becomes void. From then on the API's
 * own answers to a retry carry the new code. Throws NOT_FOUND, CONFLICT.
 */
export async function replaceCode(
  ctx: Context,
  input: z.input<typeof replaceCodeInput>,
): Promise<{ code: string }> {
  const { assignmentId, reason } = parseInput(replaceCodeInput, input);
  return ctx.db.transaction(async (db) => {
    const result = await db.call<Result>("replace_code", [ctx.app.id, assignmentId, reason]);
    if (result.verdict !== "OK") return fail(...REFUSALS[result.verdict]);
    const [before, code] = [maskCode(result.old), maskCode(result.new)];
    await recordAudit(db, ctx, {
      ...{ action: "code.replaced", subject: "code", subjectId: assignmentId, subjectName: code },
      ...{ before: { code: before }, after: { code, reason } },
    });
    return { code };
  });
}
