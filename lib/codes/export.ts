import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { getPool } from "@/lib/pools/get";
import { getBatch } from "./get-batch";
import { batchName } from "./name";
import { scanBatch } from "./scan-batch";

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
 * The codes of a batch in clear, for a file. The audit log has the export before this resolves, and so before the first
 * code is read. Throws NOT_FOUND.
 */
export async function exportBatch(
  ctx: Context,
  batchId: string,
): Promise<{ name: string; rows: AsyncGenerator<ExportCells> }> {
  const batch = await getBatch(ctx, batchId);
  const pool = await getPool(ctx, batch.poolId);
  await recordAudit(ctx.db, ctx, {
    action: "batch.exported",
    subject: "batch",
    subjectId: batch.id,
    subjectName: batchName(batch),
    after: { size: batch.size, state: batch.state },
  });
  async function* rows(): AsyncGenerator<ExportCells> {
    let after: string | null = batch.id;
    while (after) {
      const found: Awaited<ReturnType<typeof scanBatch>> = await scanBatch(ctx, batch, { after });
      for (const { code, useNumber, status, redeemedByUid, assignedAt } of found.rows) {
        const given = { uid: redeemedByUid, given_at: assignedAt };
        const { offer, expiresAt: expires_at } = batch;
        yield { code, use: useNumber + 1, status, ...given, offer, expires_at, pool: pool.name };
      }
      after = found.next;
    }
  }
  return { name: `codes-${batchName(batch).replace(/\.(csv|txt)$/i, "")}.csv`, rows: rows() };
}
