import { and, eq, inArray } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { maskCode } from "@/lib/contract/code-file";
import type { CodeView } from "@/lib/contract/timeline";
import { batches, codes } from "@/lib/db/schema";

/** These codes with their batches, by the code's id, and the present one by the id of what it was given for. */
export async function codeViews(
  ctx: Context,
  which: { ids?: readonly string[]; assignments?: readonly string[] },
): Promise<Map<string, CodeView>> {
  const { ids = [], assignments = [] } = which;
  const rows = await Promise.all([
    ids.length > 0 ? read(ctx, inArray(codes.id, [...ids])) : [],
    assignments.length > 0 ? read(ctx, inArray(codes.assignmentId, [...assignments])) : [],
  ]);
  return new Map(
    rows.flat().flatMap(([code, view]) => [code.id, code.assignmentId ?? ""].map((id) => [id, view])),
  );
}

async function read(ctx: Context, which: ReturnType<typeof inArray>) {
  const rows = await ctx.db.orm
    .select({ code: codes, batch: batches })
    .from(codes)
    .leftJoin(batches, and(eq(batches.appId, codes.appId), eq(batches.id, codes.batchId)))
    .where(and(eq(codes.appId, ctx.app.id), which));
  return rows.map(({ code, batch }): [typeof code, CodeView] => [
    code,
    {
      ...{ code: maskCode(code.code), status: code.status, batchId: code.batchId },
      offer: batch?.offer ?? null,
      origin: batch?.origin ?? null,
      expiresAt: batch?.expiresAt ?? null,
    },
  ]);
}
