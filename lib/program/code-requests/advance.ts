import { sql } from "drizzle-orm";
import { AppError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { connectAppStore } from "@/lib/program/app-store-connect/connect";
import { stopRefill, updateKeyStatus } from "@/lib/program/app-store-connect/refill-status";
import { type StoreApi, StoreError } from "@/lib/program/stores/store-api";
import type { Context } from "@/lib/tenants/context";
import { type ClaimedRequest, claimCodeRequest, LeaseLost } from "./claim";
import { importOrderedCodes } from "./import-ordered";
import { AmbiguousOutcome, type Checkpoint, orderCodes } from "./order";

/** Dependencies of the work on a request; tests bring their own. */
export interface WorkOptions {
  /** Connects to the store with the app's key. */
  connect: (ctx: Context) => Promise<StoreApi>;
  checkpoint: (point: Checkpoint) => void;
}

export const WORK_OPTIONS: WorkOptions = { connect: connectAppStore, checkpoint: () => undefined };

/**
 * Does the open steps of a request for codes, from the point where the last worker stopped. If several processes
 * call it at once, one works. Failures at the store are stored with the request; only our own faults are thrown.
 */
export async function advanceRequest(
  ctx: Context,
  id: string,
  options: WorkOptions = WORK_OPTIONS,
): Promise<void> {
  const request = await claimCodeRequest(ctx, id);
  if (request) await advanceClaimed(ctx, request, options);
}

/** The same for a request that this process has claimed. */
export async function advanceClaimed(
  ctx: Context,
  request: ClaimedRequest,
  { connect, checkpoint }: WorkOptions,
): Promise<void> {
  try {
    const store = await connect(ctx);
    if (request.row.state === "asked") await orderCodes(ctx, request, store, checkpoint);
    await importOrderedCodes(ctx, request, store, checkpoint);
    await updateKeyStatus(ctx, null);
  } catch (error) {
    if (!(error instanceof LeaseLost)) await recordFailure(ctx, request, error).catch(unlessLost);
  }
}

function unlessLost(error: unknown): void {
  if (!(error instanceof LeaseLost)) throw error;
}

/** Seconds until the next try after `attempts` attempts: 15 s, doubled each time, at most half an hour. */
const backoff = (attempts: number) => Math.min(15 * 2 ** Math.min(attempts, 7), 1_800);

/** Stores the failure with the time of the next try, or ends the request. */
async function recordFailure(ctx: Context, request: ClaimedRequest, error: unknown): Promise<void> {
  const { state, attempts } = request.row;
  const retryIn = (seconds: number, trouble: string) =>
    request.release({ trouble, dueAt: sql`now() + make_interval(secs => ${seconds})` });
  if (error instanceof AmbiguousOutcome) return end(ctx, request, "unclear", error.message);
  if (error instanceof StoreError) {
    if (error.kind === "key") await updateKeyStatus(ctx, error.message);
    if (error.kind === "refused" && state === "asked") return end(ctx, request, "refused", error.message);
    // Waits for codes that exist at the store, however the store fails meanwhile.
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
  await request.release({ state, trouble, endedAt: new Date() });
  const { origin, poolId } = request.row;
  if (origin === "refill") await stopRefill(ctx, poolId, "refused", trouble);
}
