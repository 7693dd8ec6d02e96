import type { Context } from "@/lib/context";
import { fail } from "@/lib/errors";
import { log } from "@/lib/log";
import { giveUpImport } from "./give-up";
import { inTurn } from "./in-turn";
import { finishBatch, keepAlive, openBatch } from "./open-batch";
import { type FileInput, openFile } from "./open-file";
import { storeRows } from "./store-rows";
import { type ImportCounts, type SkipReason, Tally } from "./tally";

interface ImportInput extends FileInput {
  /** The id that the dry run gave: sent twice, the import is done once. */
  batchId?: string | undefined;
  /** Called after every chunk of 5,000. */
  onProgress?: (counts: ImportCounts) => void;
}

export interface ImportResult extends ImportCounts {
  /** Null where every code of the file was known already. */
  batchId: string | null;
  /** The first hundred skipped rows. */
  examples: { line: number; reason: SkipReason }[];
}

/**
 * Imports a store's code file into a pool, all or nothing: redeem sees the batch when the last row is stored. Rows
 * without a code and codes known already are counted and skipped. Constant memory. Throws VALIDATION_ERROR for a file
 * without codes, NOT_FOUND, CONFLICT, or the signal's reason.
 */
export async function importCodes(ctx: Context, input: ImportInput): Promise<ImportResult> {
  const { onProgress, batchId: id, ...file } = input;
  const { pool, batch, rows } = await openFile(ctx, file);
  return fillBatch(ctx, { ...batch, id, poolId: pool.id }, async (batchId, tally) => {
    await storeRows(ctx.db, { appId: ctx.app.id, batchId, platform: pool.platform }, rows, tally, onProgress);
    if (!tally.imported && !tally.skipped.already_stored) refuseEmpty(tally);
    file.signal?.throwIfAborted();
  });
}

function refuseEmpty({ skipped }: Tally): never {
  const reasons = Object.entries(skipped).map(([reason, rows]) => `${rows} x ${reason}`);
  const why = reasons.length > 0 ? ` for this app and store (${reasons.join(", ")})` : "";
  return fail("VALIDATION_ERROR", `The file has no codes${why}`, { field: "source" });
}

/** Opens a batch, lets `fill` store its codes, and hands it over; removes it whole where that fails. */
export async function fillBatch(
  ctx: Context,
  batch: Parameters<typeof openBatch>[1],
  fill: (batchId: string, tally: Tally) => Promise<void>,
): Promise<ImportResult> {
  const tally = new Tally();
  const batchId = await openBatch(ctx, batch);
  const rest = keepAlive(ctx, batchId, () => tally.imported);
  try {
    await inTurn(() => fill(batchId, tally));
    if (tally.imported > 0) await finishBatch(ctx, { ...batch, id: batchId }, tally.counts());
    else await giveUpImport(ctx.db, ctx.app.id, batchId);
  } catch (error) {
    await giveUpImport(ctx.db, ctx.app.id, batchId).catch((failure: unknown) => {
      log().error({ err: failure, batchId }, "the sweep has to remove an unfinished import");
    });
    throw error;
  } finally {
    rest();
  }
  const { examples } = tally;
  return { ...tally.counts(), examples, batchId: tally.imported > 0 ? batchId : null };
}
