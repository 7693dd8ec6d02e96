import { z } from "zod";
import { type BatchInput, batchInput } from "@/lib/contract/batch";
import { uuidField } from "@/lib/contract/fields";
import { DAY_MS } from "@/lib/contract/format";
import type { Context } from "@/lib/platform/context";
import { timeOfId } from "@/lib/platform/db/index-ranges";
import { parseInput } from "@/lib/platform/parse-input";
import { getPool, type Pool } from "@/lib/program/pools/get";
import { dayField } from "@/lib/program/stores/expiry";
import { type FileChunks, type ParsedRow, parseCodes } from "./parse";

const uploadFields = {
  poolId: z.string({ error: "Choose a pool" }).pipe(uuidField("poolId")),
  offer: batchInput.shape.offer,
  expiresAt: dayField("expiresAt").optional(),
  origin: batchInput.shape.origin,
};

/** The query of an uploaded file. */
export const fileQuery = z.object(uploadFields);

const isRecent = (id: string) => id[14] === "7" && Math.abs(Date.now() - timeOfId(id)) < DAY_MS;

/** The query of an import, with the id from the dry run. The id is recent, because batches are listed by their ids. */
export const importQuery = z.object({
  ...uploadFields,
  batchId: uuidField("batchId").refine(isRecent, {
    error: "The file was checked too long ago. Check it again",
    path: [],
  }),
});

/** A code file with its description. */
export interface CodeFileInput extends BatchInput {
  poolId: string;
  source: FileChunks;
  /** Cancels the work, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

interface CodeFile {
  pool: Pool;
  batch: ReturnType<typeof batchInput.parse>;
  rows: AsyncGenerator<ParsedRow[]>;
}

/** Checks the description of a file and begins to read it. Throws VALIDATION_ERROR, NOT_FOUND, the signal's reason. */
export async function openCodeFile(ctx: Context, input: CodeFileInput): Promise<CodeFile> {
  const { poolId, source, signal, ...description } = input;
  const batch = parseInput(batchInput, description);
  const pool = await getPool(ctx, poolId);
  signal?.throwIfAborted();
  const rows = parseCodes(untilAborted(source, signal), {
    ...pool,
    ...batch,
    appleAppId: ctx.app.appleAppId,
  });
  return { pool, batch, rows };
}

/** Passes a source on until the signal, then throws the signal's reason at once, even while the source is silent. */
async function* untilAborted(source: FileChunks, signal: AbortSignal | undefined): FileChunks {
  if (!signal) return yield* source;
  const iterator = source[Symbol.asyncIterator]();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => undefined);
  try {
    while (true) {
      signal.throwIfAborted();
      const next = await Promise.race([iterator.next(), aborted]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a source that stays silent never ends.
    iterator.return?.()?.catch(() => undefined);
  }
}
