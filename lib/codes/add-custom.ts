import type { Context } from "@/lib/context";
import { type CustomCodeInput, customCodeInput } from "@/lib/contract/batch";
import { fail } from "@/lib/errors";
import { parseInput } from "@/lib/parse-input";
import { getPool } from "@/lib/pools/get";
import { fillBatch, type ImportResult } from "./import";
import { storeChunk } from "./store-chunk";

const CHUNK = 5_000;

/**
 * Adds one text that may be redeemed `limit` times, as a batch of its own: a row for each use, so that giving one works
 * like any code. Throws VALIDATION_ERROR, NOT_FOUND, CONFLICT where the app has the text already.
 */
export async function addCustomCode(
  ctx: Context,
  input: CustomCodeInput & { poolId: string },
): Promise<ImportResult> {
  const { poolId, ...given } = input;
  const { code, limit, ...offered } = parseInput(customCodeInput, given);
  const { platform } = await getPool(ctx, poolId);
  return fillBatch(ctx, { ...offered, poolId, kind: "custom" }, async (batchId, tally) => {
    const target = { appId: ctx.app.id, batchId, platform };
    for (let use = 0; use < limit; use += CHUNK) {
      const length = Math.min(CHUNK, limit - use);
      const chunk = Array.from({ length }, (_, index) => ({ code, line: 1, use: use + index }));
      tally.read += length;
      await storeChunk(ctx.db, target, chunk, tally);
      if (tally.skipped.already_stored) fail("CONFLICT", "This app has that code already", { field: "code" });
    }
  });
}
