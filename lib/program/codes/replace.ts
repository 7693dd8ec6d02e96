import { z } from "zod";
import { maskCode } from "@/lib/contract/code-file";
import { nameField, uuidField } from "@/lib/contract/fields";
import { sqlFunction } from "@/lib/platform/db/calls";
import { type ErrorCode, fail } from "@/lib/platform/errors";
import { parseInput } from "@/lib/platform/parse-input";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";

export const replaceCodeInput = z.object({
  /** The referral or the reward that the code is assigned to. */
  assignmentId: uuidField("assignmentId"),
  /** The code that the caller saw. */
  codeId: uuidField("codeId"),
  reason: nameField("reason"),
});

type ReplaceResult =
  | { verdict: "OK"; old: string; new: string }
  | { verdict: "NOT_FOUND" | "CONFIRMED" | "REPLACED" | "SAME_OFFER" | "NO_CODES_AVAILABLE" };

const REPLACE_CODE = sqlFunction("replace_code", {
  app: "uuid",
  assignment: "uuid",
  reason: "text",
  code: "uuid",
}).returns<ReplaceResult>();

const FAILURES: Record<Exclude<ReplaceResult["verdict"], "OK">, [ErrorCode, string]> = {
  NOT_FOUND: [
    "NOT_FOUND",
    "No code is assigned here. The redemption may have been released: reload the page",
  ],
  CONFIRMED: ["CONFLICT", "A purchase has confirmed this code, so it works and cannot be replaced"],
  REPLACED: ["CONFLICT", "This code has already been replaced. Reload the page to see the new one"],
  SAME_OFFER: [
    "CONFLICT",
    "The user has already had a code of every store offer left in the pool. Add codes of another offer",
  ],
  NO_CODES_AVAILABLE: ["CONFLICT", "The pool has no other free code. Add codes to it and try again"],
};

/**
 * Replaces a dead code with another code of the same pool; the old code becomes void. From then on retries through the
 * API get the new code. If that is dead too, it is replaced in the same way. Throws NOT_FOUND, CONFLICT.
 */
export async function replaceCode(
  ctx: Context,
  input: z.input<typeof replaceCodeInput>,
): Promise<{ code: string }> {
  const { assignmentId, codeId, reason } = parseInput(replaceCodeInput, input);
  return ctx.db.transaction(async (db) => {
    const result = await db.call(REPLACE_CODE, {
      app: ctx.app.id,
      assignment: assignmentId,
      reason,
      code: codeId,
    });
    if (result.verdict !== "OK") return fail(...FAILURES[result.verdict]);
    const code = maskCode(result.new);
    await recordAudit(db, ctx, {
      action: "code.replaced",
      subject: "code",
      subjectId: assignmentId,
      subjectName: code,
      before: { code: maskCode(result.old) },
      after: { code, reason },
    });
    return { code };
  });
}
