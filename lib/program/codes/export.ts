import { batchName } from "@/lib/contract/batch";
import { shownUid } from "@/lib/contract/influencer";
import { getPool } from "@/lib/program/pools/get";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { batchSubject, getBatch } from "./get-batch";
import { scanBatch } from "./list-codes";

/** Columns of an exported batch. */
export const EXPORT_COLUMNS = [
  "code",
  "use",
  "status",
  "uid",
  "given_at",
  "offer",
  "expires_at",
  "pool",
] as const;

type ExportCells = Record<(typeof EXPORT_COLUMNS)[number], string | number | Date | null>;

/**
 * The codes of a batch in plain text, for a file. The export is in the audit log before the first code is read. Throws
 * NOT_FOUND.
 */
export async function exportBatch(
  ctx: Context,
  batchId: string,
): Promise<{ name: string; rows: AsyncGenerator<ExportCells> }> {
  const batch = await getBatch(ctx, batchId);
  const pool = await getPool(ctx, batch.poolId);
  await recordAudit(ctx.db, ctx, {
    action: "batch.exported",
    ...batchSubject(batch),
    after: { size: batch.size, state: batch.state },
  });
  async function* rows(): AsyncGenerator<ExportCells> {
    let after: string | null = batch.id;
    while (after) {
      const window: Awaited<ReturnType<typeof scanBatch>> = await scanBatch(ctx, batch, { after });
      for (const { code, useNumber, status, redeemedByUid, assignedAt } of window.rows) {
        yield {
          code,
          use: useNumber + 1,
          status,
          uid: (redeemedByUid && shownUid(redeemedByUid)) ?? null,
          given_at: assignedAt,
          offer: batch.offer,
          expires_at: batch.expiresAt,
          pool: pool.name,
        };
      }
      after = window.next;
    }
  }
  return { name: `codes-${batchName(batch).replace(/\.(csv|txt)$/i, "")}.csv`, rows: rows() };
}
