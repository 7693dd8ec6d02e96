import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { maskCode } from "@/lib/contract/code-file";
import { uuidField } from "@/lib/contract/fields";
import { codes } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { parseInput } from "@/lib/platform/parse-input";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";

export const revealCodeInput = z.object({ assignmentId: uuidField("assignmentId") });

/** The whole code of a referral or reward. Recorded in the audit log. Throws NOT_FOUND. */
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
    if (!found) fail("NOT_FOUND", "No code is assigned here");
    await recordAudit(db, ctx, {
      action: "code.revealed",
      subject: "code",
      subjectId: assignmentId,
      subjectName: maskCode(found.code),
    });
    return found;
  });
}
