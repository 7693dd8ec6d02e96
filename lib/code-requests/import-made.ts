import { and, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { importCodes } from "@/lib/codes/import";
import { parseCodes } from "@/lib/codes/parse";
import type { Context } from "@/lib/context";
import { batches } from "@/lib/db/schema";
import type { CodeMaker } from "@/lib/stores/code-maker";
import { storeMidnight } from "@/lib/stores/expiry";
import { StoreTrouble } from "@/lib/stores/trouble";
import type { Job } from "./claim";
import type { Means } from "./means";

/** For so long a file with too few codes is taken for one that the store still writes. */
const WRITING_S = 2 * 3_600;

const ORIGIN = "App Store Connect";

/** Fetches the codes of a request and imports them under its own batch id, so that no crash imports them twice. */
export async function importMade(ctx: Context, job: Job, maker: CodeMaker, { at }: Means): Promise<void> {
  const done = await importedSize(ctx, job);
  if (done !== undefined) return finish(job, done, job.row.batchId);
  const { offerType, storeId, offerName, poolId, batchId, expiresOn } = job.row;
  const text = await maker.readCodes(offerType, storeId ?? "");
  const rows = await countCodes(ctx, text);
  if (rows === 0 || (rows < job.row.amount && job.sincePosted < WRITING_S)) {
    throw new StoreTrouble("busy", `Apple has written ${rows} of ${job.row.amount} codes so far.`, 60);
  }
  await job.save({ trouble: null });
  at("before_import");
  const result = await importCodes(ctx, {
    ...{ batchId, poolId, kind: "one_time", offer: offerName.slice(0, 80), origin: ORIGIN },
    expiresAt: storeMidnight(expiresOn),
    source: lines(text),
    onProgress: () => at("during_import"),
  });
  at("after_import");
  await finish(job, result.imported, result.batchId);
}

async function* lines(text: string): AsyncGenerator<string> {
  yield text;
}

async function countCodes(ctx: Context, text: string): Promise<number> {
  let codes = 0;
  const expected = { platform: "ios", kind: "one_time", appleAppId: ctx.app.appleAppId } as const;
  for await (const rows of parseCodes(lines(text), expected)) {
    codes += rows.filter((row) => "code" in row).length;
  }
  return codes;
}

/** How many codes an earlier try imported; nothing where the import is to be done. */
async function importedSize(ctx: Context, job: Job): Promise<number | undefined> {
  const one = and(eq(batches.appId, ctx.app.id), eq(batches.id, job.row.batchId));
  const [batch] = await ctx.db.orm
    .select({ state: batches.state, size: batches.size })
    .from(batches)
    .where(one);
  if (!batch) return undefined;
  if (batch.state === "importing") {
    throw new StoreTrouble("busy", "An interrupted import is being cleared away.", 60);
  }
  if (batch.state !== "undone") return batch.size;
  await job.save({ batchId: uuidv7() });
  return undefined;
}

function finish(job: Job, imported: number, batchId: string | null): Promise<void> {
  const trouble = imported === 0 ? "Every code of it was known already." : null;
  return job.leave({
    ...{ state: "imported", imported, trouble, endedAt: new Date() },
    ...(batchId && { batchId }),
  });
}
