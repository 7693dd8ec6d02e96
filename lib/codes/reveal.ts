import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { maskCode } from "@/lib/contract/code-file";
import { uuidField } from "@/lib/contract/uuid";
import { codes } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { parseInput } from "@/lib/parse-input";

export const revealCodeInput = z.object({ assignmentId: uuidField("assignmentId") });

/** The whole text of the code that a referral or reward has, which the audit log remembers. Throws NOT_FOUND. */
export async function revealCode(
  ctx: Context,
  input: z.input<typeof revealCodeInput>,
): Promise<{ code: string }> {
  const { assignmentId } = parseInput(revealCodeInput, input);
  return ctx.db.transaction(async (db) => {
    const [found] = await db.orm
      .select({ code: codes.code })
      .from(codes)
      .where(and(eq(codes.appId, ctx.app.id), eq(codes.assignmentId, assignmentId)));
    if (!found) fail("NOT_FOUND", "No code was given for this");
    await recordAudit(db, ctx, {
      action: "code.revealed",
      ...{ subject: "code", subjectId: assignmentId, subjectName: maskCode(found.code) },
    });
    return found;
  });
}
