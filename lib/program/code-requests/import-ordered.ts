import { and, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { FILE_CONCERNS } from "@/lib/contract/code-file";
import { batches } from "@/lib/platform/db/schema";
import { importCodes } from "@/lib/program/codes/import";
import { parseCodes } from "@/lib/program/codes/parse";
import { storeMidnight } from "@/lib/program/stores/expiry";
import { type StoreApi, StoreError } from "@/lib/program/stores/store-api";
import type { Context } from "@/lib/tenants/context";
import type { ClaimedRequest } from "./claim";
import { batchOffer } from "./offers";
import type { Checkpoint } from "./order";

/** Before this age of the order, a file with too few codes counts as still being written by the store. */
const WRITING_S = 2 * 3_600;

const ORIGIN = "App Store Connect";

/** Downloads the codes of a request and imports them under the request's batch id, so that no crash imports them twice. */
export async function importOrderedCodes(
  ctx: Context,
  request: ClaimedRequest,
  store: StoreApi,
  checkpoint: (point: Checkpoint) => void,
): Promise<void> {
  const imported = await importedSize(ctx, request);
  if (imported !== undefined) return finish(request, imported, request.row.batchId);
  const { offerType, storeId, offerName, poolId, batchId, expiresOn } = request.row;
  const text = await store.downloadCodes(offerType, storeId ?? "");
  const count = await countCodes(ctx, text);
  if (count === 0 || (count < request.row.amount && request.sincePosted < WRITING_S)) {
    throw new StoreError("busy", `Apple has written ${count} of ${request.row.amount} codes so far.`, 60);
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
    // The text comes from the store itself.
    agreed: FILE_CONCERNS,
    onProgress: () => checkpoint("during_import"),
  });
  checkpoint("after_import");
  await finish(request, result.imported, result.batchId);
}

async function* chunksOf(text: string): AsyncGenerator<string> {
  yield text;
}

async function countCodes(ctx: Context, text: string): Promise<number> {
  let count = 0;
  const expected = { platform: "ios", kind: "one_time", appleAppId: ctx.app.appleAppId } as const;
  for await (const rows of parseCodes(chunksOf(text), expected)) {
    count += rows.filter((row) => "code" in row).length;
  }
  return count;
}

/** How many codes an earlier try imported; undefined before the import. */
async function importedSize(ctx: Context, request: ClaimedRequest): Promise<number | undefined> {
  const [batch] = await ctx.db.orm
    .select({ state: batches.state, size: batches.size })
    .from(batches)
    .where(and(eq(batches.appId, ctx.app.id), eq(batches.id, request.row.batchId)));
  if (!batch) return undefined;
  if (batch.state === "importing") {
    throw new StoreError("busy", "An interrupted import is being removed first.", 60);
  }
  if (batch.state !== "undone") return batch.size;
  await request.update({ batchId: uuidv7() });
  return undefined;
}

function finish(request: ClaimedRequest, imported: number, batchId: string | null): Promise<void> {
  return request.release({
    state: "imported",
    imported,
    trouble: imported === 0 ? "The app already has all of these codes." : null,
    endedAt: new Date(),
    ...(batchId && { batchId }),
  });
}
