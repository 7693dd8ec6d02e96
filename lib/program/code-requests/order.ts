import { and, eq, isNotNull, sql } from "drizzle-orm";
import { sqlState, UNIQUE_VIOLATION } from "@/lib/platform/db/outage";
import { codeRequests, storeOffers } from "@/lib/platform/db/schema";
import { findStoreKey } from "@/lib/program/app-store-connect/connect";
import { type StoreApi, type StoreBatch, StoreError } from "@/lib/program/stores/store-api";
import type { Context } from "@/lib/tenants/context";
import type { ClaimedRequest, CodeRequest } from "./claim";

/** Seconds after which an order without a response or a batch counts as lost, and may be sent again. */
const SETTLE_S = 15 * 60;

/** Clocks may differ by this much. The list of known batches decides. */
const CLOCK_SKEW_MS = 3_600_000;

/** Thrown when a person must determine the outcome of an order. */
export class AmbiguousOutcome extends Error {}

const offerOf = ({ offerType: type, offerId: id }: CodeRequest) => ({ type, id });

/** Points at which tests stop the work, because a process may die at each. */
export type Checkpoint = "before_post" | "after_post" | "before_import" | "during_import" | "after_import";

/**
 * Orders the codes at the store and stores the id of their batch. Before that the row records that an order is on its
 * way, and which batches exist; a process that finds this mark looks for a new batch before it orders again.
 */
export async function orderCodes(
  ctx: Context,
  request: ClaimedRequest,
  store: StoreApi,
  checkpoint: (point: Checkpoint) => void,
): Promise<void> {
  if (request.row.postedAt && (await adoptOrderedBatch(ctx, request, store))) return;
  // Apple would create codes that are never imported.
  await requireOffer(ctx, request.row);
  const known = await store.listBatches(offerOf(request.row));
  await request.update({ postedAt: sql`now()`, knownIds: known.map(({ id }) => id) });
  checkpoint("before_post");
  const batch = await createBatch(ctx, request, store);
  checkpoint("after_post");
  await storeBatchId(request, batch.id);
}

async function createBatch(ctx: Context, request: ClaimedRequest, store: StoreApi): Promise<StoreBatch> {
  const { amount, expiresOn } = request.row;
  try {
    return await store.createBatch(offerOf(request.row), { amount, expiresOn, sandbox: ctx.app.sandbox });
  } catch (error) {
    const nothingCreated = error instanceof StoreError && error.kind !== "unknown_outcome";
    if (nothingCreated) await request.update({ postedAt: null, knownIds: [] });
    throw error;
  }
}

/**
 * Adopts the batch of an order that got no response. False if there certainly is none, so that the
 * order may be repeated.
 */
async function adoptOrderedBatch(ctx: Context, request: ClaimedRequest, store: StoreApi): Promise<boolean> {
  const batches = await store.listBatches(offerOf(request.row));
  const taken = await takenIds(ctx, request.row);
  const [found, second] = batches.filter((batch) => fits(ctx, request.row, batch) && !taken.has(batch.id));
  if (second) throw new AmbiguousOutcome(SEVERAL_BATCHES);
  if (found) await storeBatchId(request, found.id);
  else if (request.sincePosted < SETTLE_S) throw new StoreError("unknown_outcome", LOOKING);
  return found !== undefined;
}

const SEVERAL_BATCHES =
  "Apple's response was lost, and several new batches match the request. Download the right batch in App Store Connect, import it as a file, and give up this request.";
const LOOKING = "Apple's response was lost. Checking whether the codes were created.";
const NOT_LISTED =
  "The offer is not in the app's list, so its codes may be for another app. Correct the Apple ID under Settings and reload the offers, or";

/**
 * Throws without the request's offer in the app's list, which another Apple ID forgets. An app's first key has no list until
 * the offers are loaded with it.
 */
export async function requireOffer(ctx: Context, row: CodeRequest): Promise<void> {
  const { appId, type, id } = storeOffers;
  const same = and(eq(appId, ctx.app.id), eq(type, row.offerType), eq(id, row.offerId));
  if ((await ctx.db.orm.$count(storeOffers, same)) > 0 || !(await findStoreKey(ctx))?.listedAt) return;
  const other = row.postedAt ? "give up this request" : "choose another one";
  throw new StoreError("refused", `${NOT_LISTED} ${other}.`);
}

function fits(ctx: Context, row: CodeRequest, batch: StoreBatch): boolean {
  const earliest = (row.postedAt?.getTime() ?? 0) - CLOCK_SKEW_MS;
  return (
    !row.knownIds.includes(batch.id) &&
    batch.amount === row.amount &&
    batch.expiresOn === row.expiresOn &&
    (batch.sandbox ?? ctx.app.sandbox) === ctx.app.sandbox &&
    (batch.createdAt?.getTime() ?? earliest) >= earliest
  );
}

/** Batches of the offer that belong to other requests. */
async function takenIds(ctx: Context, { offerType, offerId }: CodeRequest): Promise<Set<string | null>> {
  const own = and(
    eq(codeRequests.appId, ctx.app.id),
    eq(codeRequests.offerType, offerType),
    eq(codeRequests.offerId, offerId),
  );
  const rows = await ctx.db.orm
    .select({ id: codeRequests.storeId })
    .from(codeRequests)
    .where(and(own, isNotNull(codeRequests.storeId)));
  return new Set(rows.map(({ id }) => id));
}

/**
 * Throws if another request, whose response was lost, has taken this batch; that request's batch is left for this one.
 */
async function storeBatchId(request: ClaimedRequest, storeId: string): Promise<void> {
  try {
    await request.update({ state: "made", storeId, trouble: null, knownIds: [] });
  } catch (error) {
    if (sqlState(error) !== UNIQUE_VIOLATION) throw error;
    throw new StoreError("unknown_outcome", LOOKING);
  }
}
