import type { Context } from "@/lib/context";
import { type BatchInput, batchInput } from "@/lib/contract/batch";
import { parseInput } from "@/lib/parse-input";
import { getPool, type Pool } from "@/lib/pools/get";
import { type CodeSource, type ParsedRow, parseCodes } from "./parse";
import { untilAborted } from "./until-aborted";

/** A code file and what is said of it. */
export interface FileInput extends BatchInput {
  poolId: string;
  source: CodeSource;
  /** Cancels the work: it throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

interface OpenFile {
  pool: Pool;
  batch: ReturnType<typeof batchInput.parse>;
  rows: AsyncGenerator<ParsedRow[]>;
}

/** Checks what is said of a file and begins to read it. Throws VALIDATION_ERROR, NOT_FOUND, the signal's reason. */
export async function openFile(ctx: Context, input: FileInput): Promise<OpenFile> {
  const { poolId, source, signal, ...given } = input;
  const batch = parseInput(batchInput, given);
  const pool = await getPool(ctx, poolId);
  signal?.throwIfAborted();
  const rows = parseCodes(untilAborted(source, signal), {
    ...pool,
    ...batch,
    appleAppId: ctx.app.appleAppId,
  });
  return { pool, batch, rows };
}
