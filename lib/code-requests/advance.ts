import { sql } from "drizzle-orm";
import { noteKey } from "@/lib/app-store-connect/note-key";
import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { StoreTrouble } from "@/lib/stores/trouble";
import { claimRequest, type Job, LeaseLost } from "./claim";
import { haveMade, Unclear } from "./have-made";
import { importMade } from "./import-made";
import { MEANS, type Means } from "./means";
import { stopRefill } from "./stop-refill";

/**
 * Does what a request for codes still needs, from wherever it was left. Any number of processes may call it at once:
 * one of them works. What the store refuses is written down in words; only faults of our own are thrown.
 */
export async function advanceRequest(ctx: Context, id: string, means: Means = MEANS): Promise<void> {
  const job = await claimRequest(ctx, id);
  if (!job) return;
  try {
    const maker = await means.open(ctx);
    if (job.row.state === "asked") await haveMade(ctx, job, maker, means);
    await importMade(ctx, job, maker, means);
    await noteKey(ctx, null);
  } catch (error) {
    if (!(error instanceof LeaseLost)) await settle(ctx, job, error).catch(unlessLost);
  }
}

function unlessLost(error: unknown): void {
  if (!(error instanceof LeaseLost)) throw error;
}

/** Seconds until the next try after `attempts` of them: 15 s doubled each time, at most half an hour. */
const pause = (attempts: number) => Math.min(15 * 2 ** Math.min(attempts, 7), 1_800);

const later = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`;

/** Writes down what held a request up, and when to try again or that it has ended. */
async function settle(ctx: Context, job: Job, error: unknown): Promise<void> {
  const { state, attempts } = job.row;
  const wait = (trouble: string, seconds: number) => job.leave({ trouble, dueAt: later(seconds) });
  if (error instanceof Unclear) return end(ctx, job, "unclear", error.message);
  if (error instanceof StoreTrouble) {
    if (error.kind === "key") await noteKey(ctx, error.message);
    if (error.kind === "refused" && state === "asked") return end(ctx, job, "refused", error.message);
    // Codes that were made are waited for, whatever the store says today.
    return wait(error.message, error.retryAfter ?? (error.kind === "key" ? 1_800 : pause(attempts)));
  }
  if (error instanceof AppError && error.status < 500) {
    if (error.code === "CONFLICT") return wait(error.message, 120);
    return end(ctx, job, "refused", `The codes cannot be imported: ${error.message}`);
  }
  log().error({ err: error, request: job.row.id }, "a request for codes was cut off and goes on later");
  await wait("The service was interrupted and goes on by itself.", 60);
}

async function end(ctx: Context, job: Job, state: "unclear" | "refused", trouble: string): Promise<void> {
  await job.leave({ state, trouble, endedAt: new Date() });
  const { origin, poolId } = job.row;
  if (origin === "refill") await stopRefill(ctx, poolId, "refused", trouble);
}
