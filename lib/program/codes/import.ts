import { and, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { BATCH_FIELDS, type CustomCodeInput, customCodeInput } from "@/lib/contract/batch";
import { type FileConcern, ROW_REFUSALS } from "@/lib/contract/code-file";
import { pick } from "@/lib/contract/pick";
import { batches } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { parseInput } from "@/lib/platform/parse-input";
import { abandonImport } from "@/lib/program/codes/abandon-import";
import { batchSubject, customOffer } from "@/lib/program/codes/get-batch";
import { ImportCounter, type ImportCounts, type SkipReason } from "@/lib/program/codes/import-counter";
import { type CodeFileInput, missingPool, openCodeFile } from "@/lib/program/codes/open-file";
import { IMPORT_CHUNK, storeChunk, storeRows } from "@/lib/program/codes/store-codes";
import { setAside } from "@/lib/program/line/line";
import { getPool, lockPool } from "@/lib/program/pools/get";
import { ensurePool } from "@/lib/program/pools/pools";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";

/** A batch to import. */
type NewBatch = Omit<typeof batches.$inferInsert, "appId" | "id" | "state" | "size" | "createdAt"> & {
  id?: string | undefined;
};

/** Interval of the heartbeat. `sweepImports` treats an import as dead after two minutes without it. */
const HEARTBEAT_MS = 10_000;

/** Creates a batch that redeem does not see yet; returns its id. Throws CONFLICT if the id was used before. */
async function createImportingBatch(ctx: Context, batch: NewBatch): Promise<string> {
  const { id = uuidv7(), ...values } = batch;
  const created = await ctx.db.transaction(async (db) => {
    await lockPool({ ...ctx, db }, batch.poolId);
    return db.orm
      .insert(batches)
      .values({ ...values, appId: ctx.app.id, id, state: "importing" })
      .onConflictDoNothing()
      .returning({ id: batches.id });
  });
  if (created.length === 0) {
    fail("CONFLICT", "This import has already started, or its last attempt is still being removed");
  }
  return id;
}

function importing(ctx: Context, id: string) {
  return and(eq(batches.appId, ctx.app.id), eq(batches.id, id), eq(batches.state, "importing"));
}

/** Writes the heartbeat of an import until the returned function is called: `created_at` until the batch is ready. */
function startHeartbeat(ctx: Context, id: string, size: () => number): () => void {
  const beat = () =>
    ctx.db.orm
      .update(batches)
      .set({ createdAt: sql`now()`, size: size() })
      .where(importing(ctx, id))
      .catch((error: unknown) =>
        log().warn({ err: error }, "the heartbeat of an import could not be written"),
      );
  const timer = setInterval(beat, HEARTBEAT_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Makes the whole batch visible to redeem at once, with its audit entry; returns how many codes were set aside for the line.
 * Throws CONFLICT if it was abandoned.
 */
async function finishBatch(
  ctx: Context,
  batch: NewBatch & { id: string },
  { imported, read, skipped }: ImportCounts,
): Promise<number> {
  return ctx.db.transaction(async (db) => {
    const finished = await db.orm
      .update(batches)
      .set({ state: "ready", size: imported, createdAt: sql`now()` })
      .where(importing(ctx, batch.id))
      .returning({ id: batches.id });
    if (finished.length === 0) fail("CONFLICT", "The import was abandoned before it was finished");
    const aside = await setAside({ ...ctx, db }, batch.poolId);
    await recordAudit(db, ctx, {
      action: "batch.imported",
      ...batchSubject(batch),
      after: { ...pick(batch, BATCH_FIELDS), imported, read, skipped },
    });
    return aside;
  });
}

interface ImportInput extends CodeFileInput {
  /** The id from the dry run. An import sent twice is done once. */
  batchId?: string | undefined;
  /** The concerns of the dry run that the sender has agreed to. Any other refuses the file. */
  agreed?: readonly FileConcern[] | undefined;
  /** Called after every chunk of 5,000. */
  onProgress?: (counts: ImportCounts) => void;
}

interface ImportResult extends ImportCounts {
  /** Null if the app already had every code of the file. */
  batchId: string | null;
  /** Codes of the pool that were set aside for people in line when these came. */
  setAside: number;
  /** The first hundred skipped rows. */
  examples: { line: number; reason: SkipReason }[];
}

/**
 * Imports a store's code file into a pool, all or nothing: redeem sees the batch when the last row is stored. Rows
 * without a code and stored codes are counted and skipped. Constant memory. Throws VALIDATION_ERROR for a file
 * without codes and for one that raises a concern, NOT_FOUND, CONFLICT, or the signal's reason.
 */
export async function importCodes(ctx: Context, input: ImportInput): Promise<ImportResult> {
  const { onProgress, batchId: id, agreed = [], ...file } = input;
  const { platform, shape, batch, rows } = await openCodeFile(ctx, file);
  const poolId = file.poolId ?? (await ensurePool(ctx, platform, file.use ?? missingPool())).id;
  return fillBatch(ctx, { ...batch, id, poolId }, async (batchId, counter) => {
    const target = { appId: ctx.app.id, batchId, platform };
    await storeRows(ctx.db, target, rows, counter, onProgress);
    shape.assertAgreed(agreed);
    if (!counter.imported && !counter.skipped.already_stored) refuseEmpty(counter.counts());
    file.signal?.throwIfAborted();
  });
}

function refuseEmpty({ skipped }: ImportCounts): never {
  const reasons = Object.entries(skipped).map(
    ([reason, rows]) => `${rows} × ${ROW_REFUSALS[reason as SkipReason].name}`,
  );
  const why = reasons.length > 0 ? ` for this app and store (${reasons.join(", ")})` : "";
  return fail("VALIDATION_ERROR", `The file has no codes${why}`, { field: "source" });
}

/**
 * Creates a custom code for `limit` redemptions: a batch with a row per use, assigned like any code. Without an offer it
 * has its own: no user gets the text twice. Throws VALIDATION_ERROR, NOT_FOUND, CONFLICT if the app has the text.
 */
export async function createCustomCode(
  ctx: Context,
  input: CustomCodeInput & { poolId: string },
): Promise<ImportResult> {
  const { poolId, ...values } = input;
  const { code, limit, ...settings } = parseInput(customCodeInput, values);
  const { platform } = await getPool(ctx, poolId);
  const id = uuidv7();
  const offer = settings.offer ?? customOffer(id);
  return fillBatch(ctx, { ...settings, offer, id, poolId, kind: "custom" }, async (batchId, counter) => {
    const target = { appId: ctx.app.id, batchId, platform };
    for (let use = 0; use < limit; use += IMPORT_CHUNK) {
      const length = Math.min(IMPORT_CHUNK, limit - use);
      const chunk = Array.from({ length }, (_, index) => ({ code, line: 1, use: use + index }));
      counter.read += length;
      await storeChunk(ctx.db, target, chunk, counter);
      if (counter.skipped.already_stored)
        fail("CONFLICT", "This app already has that code", { field: "code" });
    }
  });
}

/** Creates a batch, lets `fill` store its codes, and finishes it; removes all of it after a failure. */
async function fillBatch(
  ctx: Context,
  batch: NewBatch,
  fill: (batchId: string, counter: ImportCounter) => Promise<void>,
): Promise<ImportResult> {
  const counter = new ImportCounter();
  const batchId = await createImportingBatch(ctx, batch);
  const stopHeartbeat = startHeartbeat(ctx, batchId, () => counter.imported);
  let aside = 0;
  try {
    await fill(batchId, counter);
    if (counter.imported > 0) aside = await finishBatch(ctx, { ...batch, id: batchId }, counter.counts());
    else await abandonImport(ctx.db, ctx.app.id, batchId);
  } catch (error) {
    await abandonImport(ctx.db, ctx.app.id, batchId).catch((failure: unknown) => {
      log().error({ err: failure, batchId }, "an unfinished import is left for the sweep to remove");
    });
    throw error;
  } finally {
    stopHeartbeat();
  }
  const { examples } = counter;
  return {
    ...counter.counts(),
    examples,
    setAside: aside,
    batchId: counter.imported > 0 ? batchId : null,
  };
}
