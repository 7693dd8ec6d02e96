import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { sqlState } from "@/lib/db/outage";
import { codeRequests } from "@/lib/db/schema";
import type { CodeMaker, StoreBatch } from "@/lib/stores/code-maker";
import { StoreTrouble } from "@/lib/stores/trouble";
import type { CodeRequest, Job } from "./claim";
import type { Means } from "./means";

/** Seconds after which an unanswered request that left no batch behind is taken for lost on the way. */
export const SETTLE_S = 15 * 60;

/** Clocks differ, and the list of known batches is what decides. */
const CLOCK_SLACK_MS = 3_600_000;

const UNIQUE_VIOLATION = "23505";

/** What ends a request without codes: nothing that passes by itself. */
export class Unclear extends Error {}

const offerOf = ({ offerType: type, offerId: id }: CodeRequest) => ({ type, id });

/**
 * Has the store make the codes, and writes down which batch they are. That the store is about to be asked is written
 * first, with the batches it has: whoever finds that mark looks for a new batch there before asking again.
 */
export async function haveMade(ctx: Context, job: Job, maker: CodeMaker, { at }: Means): Promise<void> {
  if (job.row.postedAt && (await findMade(ctx, job, maker))) return;
  const known = await maker.listBatches(offerOf(job.row));
  await job.save({ postedAt: sql`now()`, knownIds: known.map(({ id }) => id) });
  at("before_post");
  const made = await make(ctx, job, maker);
  at("after_post");
  await keep(job, made.id);
}

async function make(ctx: Context, job: Job, maker: CodeMaker): Promise<StoreBatch> {
  const { amount, expiresOn } = job.row;
  try {
    return await maker.makeBatch(offerOf(job.row), { amount, expiresOn, sandbox: ctx.app.sandbox });
  } catch (error) {
    const surelyNot = error instanceof StoreTrouble && error.kind !== "unsure";
    if (surelyNot) await job.save({ postedAt: null, knownIds: [] });
    throw error;
  }
}

/** Looks whether a request without an answer was heard. False where it surely was not, so that it may be repeated. */
async function findMade(ctx: Context, job: Job, maker: CodeMaker): Promise<boolean> {
  const batches = await maker.listBatches(offerOf(job.row));
  const taken = await takenIds(ctx, job.row);
  const [found, second] = batches.filter((batch) => fits(ctx, job.row, batch) && !taken.has(batch.id));
  if (second) throw new Unclear(MANY);
  if (!found && job.sincePosted >= SETTLE_S) return false;
  if (!found) throw new StoreTrouble("unsure", WAITING);
  await keep(job, found.id);
  return true;
}

const MANY =
  "Apple's answer was lost, and several new batches there could be the one. Download the right one at App Store Connect, import it as a file, and give this request up.";
const WAITING = "Apple's answer was lost. Looking whether the codes were made.";

function fits(ctx: Context, row: CodeRequest, batch: StoreBatch): boolean {
  const earliest = (row.postedAt?.getTime() ?? 0) - CLOCK_SLACK_MS;
  return (
    !row.knownIds.includes(batch.id) &&
    batch.amount === row.amount &&
    batch.expiresOn === row.expiresOn &&
    (batch.sandbox ?? ctx.app.sandbox) === ctx.app.sandbox &&
    (batch.createdAt?.getTime() ?? earliest) >= earliest
  );
}

/** Batches of the offer that are the answer to a request. */
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

/** Another request that lost its answer may have taken our batch for its own; then its batch is left for us. */
async function keep(job: Job, storeId: string): Promise<void> {
  try {
    await job.save({ state: "made", storeId, trouble: null, knownIds: [] });
  } catch (error) {
    if (sqlState(error) !== UNIQUE_VIOLATION) throw error;
    throw new StoreTrouble("unsure", WAITING);
  }
}
