import { z } from "zod";
import { type BatchInput, batchInput } from "@/lib/contract/batch";
import { DATE_ORDERS, type DateOrder, FILE_CONCERNS } from "@/lib/contract/code-file";
import { type Platform, platformField, uuidField } from "@/lib/contract/fields";
import { DAY_MS } from "@/lib/contract/format";
import { type PoolInput, poolInput } from "@/lib/contract/pool";
import { timeOfId } from "@/lib/platform/db/index-ranges";
import { fail } from "@/lib/platform/errors";
import { parseInput } from "@/lib/platform/parse-input";
import { getPool } from "@/lib/program/pools/get";
import { dayField } from "@/lib/program/stores/expiry";
import type { Context } from "@/lib/tenants/context";
import { FileShape } from "./file-shape";
import { type FileChunks, type ParsedRow, parseCodes } from "./parse";

const uploadFields = {
  poolId: uuidField("poolId").optional(),
  platform: platformField.optional(),
  use: poolInput.shape.use.optional(),
  dates: z.enum(DATE_ORDERS, { error: "dates must be 'day' or 'month'" }).optional(),
};

/** The query of a file that is only read. The import checks the offer and the day of its batch, and shows the errors. */
export const fileQuery = z.object(uploadFields);

const isRecent = (id: string) => id[14] === "7" && Math.abs(Date.now() - timeOfId(id)) < DAY_MS;

const concern = z.enum(FILE_CONCERNS, { error: "agreed must name concerns of the check" });

/** The query of an import: the concerns agreed to, and the dry run's id, which must be recent: batches are listed by id. */
export const importQuery = z.object({
  ...uploadFields,
  offer: batchInput.shape.offer,
  expiresAt: dayField("expiresAt").optional(),
  origin: batchInput.shape.origin,
  agreed: z
    .string()
    .default("")
    .transform((text) => text.split(",").filter(Boolean))
    .pipe(z.array(concern)),
  batchId: uuidField("batchId").refine(isRecent, {
    error: "The file was checked too long ago. Check it again",
    path: [],
  }),
});

/** A code file with its description. Without a pool it is for the app's first pool of that store and use. */
export interface CodeFileInput extends BatchInput {
  poolId?: string | undefined;
  platform?: Platform | undefined;
  use?: PoolInput["use"] | undefined;
  /** Which number of 05/12/2027 comes first in the file: the month, unless chosen otherwise. */
  dates?: DateOrder | undefined;
  source: FileChunks;
  /** Cancels the work, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

interface CodeFile {
  platform: Platform;
  /** The shape of the file, complete once all rows are read. */
  shape: FileShape;
  batch: ReturnType<typeof batchInput.parse>;
  rows: AsyncGenerator<ParsedRow[]>;
}

/** Checks the description of a file and begins to read it. Throws VALIDATION_ERROR, NOT_FOUND, the signal's reason. */
export async function openCodeFile(ctx: Context, input: CodeFileInput): Promise<CodeFile> {
  const { poolId, platform: chosen, use: _, dates, source, signal, ...description } = input;
  const batch = parseInput(batchInput, description);
  const platform = poolId ? (await getPool(ctx, poolId)).platform : (chosen ?? missingPool());
  signal?.throwIfAborted();
  const expected = { platform, kind: batch.kind, appleAppId: ctx.app.appleAppId, dates };
  const shape = new FileShape(platform);
  return { platform, shape, batch, rows: parseCodes(untilAborted(source, signal), expected, shape) };
}

/** Throws VALIDATION_ERROR: the sender has to choose a pool, or a store and a use. */
export const missingPool = (): never => fail("VALIDATION_ERROR", "Choose a pool", { field: "poolId" });

/** Passes a source on until the signal aborts, then throws the signal's reason at once, even while the source is silent. */
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
