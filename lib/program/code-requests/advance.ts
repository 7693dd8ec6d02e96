import { and, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { FILE_CONCERNS } from "@/lib/contract/code-file";
import { batches } from "@/lib/platform/db/schema";
import { AppError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import {
  connectAppStore,
  findStoreKey,
  isReplaced,
  type KeyRow,
} from "@/lib/program/app-store-connect/connect";
import { stopRefill, updateKeyStatus } from "@/lib/program/app-store-connect/refill-status";
import { type ClaimedRequest, LeaseLost } from "@/lib/program/code-requests/claim";
import { batchOffer } from "@/lib/program/code-requests/offers";
import {
  AmbiguousOutcome,
  type Checkpoint,
  orderCodes,
  requireOffer,
} from "@/lib/program/code-requests/order";
import { findImporter } from "@/lib/program/codes/get-batch";
import { importCodes } from "@/lib/program/codes/import";
import { parseCodes } from "@/lib/program/codes/parse";
import { storeMidnight } from "@/lib/program/stores/expiry";
import { type StoreApi, StoreError } from "@/lib/program/stores/store-api";
import type { Context } from "@/lib/tenants/context";

/** Until the order is this old, a file with too few codes counts as still being written by the store. */
const WRITING_S = 2 * 3_600;

const ORIGIN = "App Store Connect";

/** Downloads the codes of a request and imports them under the request's batch id, so that no crash imports them twice. */
async function importOrderedCodes(
  ctx: Context,
  request: ClaimedRequest,
  store: StoreApi,
  checkpoint: (point: Checkpoint) => void,
): Promise<void> {
  if (await finishEarlier(ctx, request)) return;
  // Apple documents no layout of the file, so it may not name the app.
  await requireOffer(ctx, request.row);
  const { offerType, storeId, offerName, poolId, batchId, amount, expiresOn } = request.row;
  const text = await store.downloadCodes(offerType, storeId ?? "");
  const count = await countCodes(ctx, text);
  if (count === 0 || (count < amount && request.sincePosted < WRITING_S)) {
    throw new StoreError("busy", `Apple has written ${count} of ${amount} codes so far.`, 60);
  }
  await request.update({ trouble: null });
  checkpoint("before_import");
  const result = await importCodes(ctx, {
    batchId,
    poolId,
    kind: "one_time",
    offer: batchOffer(offerName),
    origin: ORIGIN,
    expiresAt: storeMidnight(expiresOn),
    source: chunksOf(text),
    // Agreed to in advance, because the text comes from the store itself.
    agreed: FILE_CONCERNS,
    onProgress: () => checkpoint("during_import"),
  });
  checkpoint("after_import");
  const short = `Apple's file had ${count} of ${amount} codes. Look for the others in App Store Connect.`;
  await finish(request, result.imported, result.batchId, count < amount ? short : undefined);
}

async function* chunksOf(text: string): AsyncGenerator<string> {
  yield text;
}

const OTHER_APP =
  "Apple's codes are for another app. Correct the Apple ID under Settings, or reload the offers and give up this request.";

async function countCodes(ctx: Context, text: string): Promise<number> {
  let [count, foreign] = [0, false];
  const expected = { platform: "ios", kind: "one_time", appleAppId: ctx.app.appleAppId } as const;
  try {
    for await (const rows of parseCodes(chunksOf(text), expected)) {
      count += rows.filter((row) => "code" in row).length;
      foreign ||= rows.some((row) => "fault" in row && row.fault === "other_app");
    }
  } catch (error) {
    log().warn({ err: error }, "a store's file of codes could not be read");
    throw new StoreError("unknown_outcome", "Apple's file of codes could not be read.");
  }
  if (foreign) throw new StoreError("refused", OTHER_APP);
  return count;
}

/** Ends a request whose codes an earlier try imported, even if the import was undone since; false before the import. */
async function finishEarlier(ctx: Context, request: ClaimedRequest): Promise<boolean> {
  const [batch] = await ctx.db.orm
    .select()
    .from(batches)
    .where(and(eq(batches.appId, ctx.app.id), eq(batches.id, request.row.batchId)));
  if (!batch) return false;
  if (batch.state === "importing") {
    throw new StoreError("busy", "An interrupted import is being removed first.", 60);
  }
  const undone = batch.state === "undone";
  // An interrupted import has no entry in the audit log.
  if (undone && !(await findImporter(ctx, batch))) {
    await request.update({ batchId: uuidv7() });
    return false;
  }
  await finish(request, batch.size, batch.id, undone ? UNDONE : undefined);
  return true;
}

const UNDONE = "A member has undone the import of these codes.";
const ALL_STORED = "The app already has all of these codes.";

function finish(
  request: ClaimedRequest,
  imported: number,
  batchId: string | null,
  trouble = imported === 0 ? ALL_STORED : null,
): Promise<void> {
  return request.release({
    state: "imported",
    imported,
    trouble,
    endedAt: sql`now()`,
    ...(batchId && { batchId }),
  });
}

/** Dependencies of the work on a request; tests bring their own. */
export interface WorkOptions {
  /** Connects to the store with the app's key. */
  connect: (ctx: Context) => Promise<StoreApi>;
  checkpoint: (point: Checkpoint) => void;
}

export const WORK_OPTIONS: WorkOptions = { connect: connectAppStore, checkpoint: () => undefined };

/**
 * Works through the open steps of a claimed request for codes, from where the last worker stopped. Failures at the store
 * are stored with the request; only our own faults are thrown.
 */
export async function advanceClaimed(
  ctx: Context,
  request: ClaimedRequest,
  { connect, checkpoint }: WorkOptions,
): Promise<void> {
  const key = await findStoreKey(ctx);
  try {
    const store = await connect(ctx);
    if (request.row.state === "asked") await orderCodes(ctx, request, store, checkpoint);
    await importOrderedCodes(ctx, request, store, checkpoint);
    await acceptKey(ctx, key);
  } catch (error) {
    if (!(error instanceof LeaseLost)) await recordFailure(ctx, request, error, key).catch(unlessLost);
  }
}

function unlessLost(error: unknown): void {
  if (!(error instanceof LeaseLost)) throw error;
}

/** Stores that Apple accepts the key, unless another one has replaced it, which this says nothing about. */
async function acceptKey(ctx: Context, key: KeyRow | undefined): Promise<void> {
  if (!key || !(await isReplaced(ctx, key))) await updateKeyStatus(ctx, null);
}

/** Seconds until the next try after `attempts` attempts: 15 s, doubled each time, at most half an hour. */
const backoff = (attempts: number) => Math.min(15 * 2 ** Math.min(attempts, 7), 1_800);

/** Stores the failure with the time of the next try, or ends the request. */
async function recordFailure(
  ctx: Context,
  request: ClaimedRequest,
  error: unknown,
  key: KeyRow | undefined,
): Promise<void> {
  const { state, attempts } = request.row;
  const retryIn = (seconds: number, trouble: string) =>
    request.release({ trouble, dueAt: sql`now() + make_interval(secs => ${seconds})` });
  if (error instanceof AmbiguousOutcome) return end(ctx, request, "unclear", error.message);
  if (error instanceof StoreError) {
    const { kind, status } = error;
    if (status)
      log().warn({ request: request.row.id, kind, status }, "the store refused a request for codes");
    if (error.kind === "key") {
      if (await isReplaced(ctx, key)) return retryIn(0, error.message);
      await updateKeyStatus(ctx, error.message);
    }
    // A refusal proves the key, because Apple checks it before the request.
    if (error.kind === "refused" && status) await acceptKey(ctx, key);
    // An order that may have been carried out is still searched for; a refused one has no `postedAt`.
    if (error.kind === "refused" && state === "asked" && !request.row.postedAt)
      return end(ctx, request, "refused", error.message);
    // The codes exist at the store by now, so this waits for them, however the store fails.
    return retryIn(error.retryAfter ?? (error.kind === "key" ? 1_800 : backoff(attempts)), error.message);
  }
  if (error instanceof AppError && error.status < 500) {
    if (error.code === "CONFLICT") return retryIn(120, error.message);
    return end(ctx, request, "refused", `The codes cannot be imported: ${error.message}`);
  }
  log().error(
    { err: error, request: request.row.id },
    "a request for codes was interrupted and is tried again",
  );
  await retryIn(60, "The service was interrupted. The request continues automatically.");
}

async function end(
  ctx: Context,
  request: ClaimedRequest,
  state: "unclear" | "refused",
  trouble: string,
): Promise<void> {
  await request.release({ state, trouble, endedAt: sql`now()` });
  const { origin, poolId, createdAt } = request.row;
  // An unclear request stops the refill even if that was started again since.
  const since = state === "refused" ? createdAt : undefined;
  if (origin === "refill") await stopRefill(ctx, poolId, "refused", trouble, since);
}
