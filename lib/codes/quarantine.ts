import type { Context } from "@/lib/context";
import { moveBatch } from "./move-batch";

/** Sets a batch aside: none of its codes is given until it is restored. Throws NOT_FOUND, CONFLICT. */
export async function quarantineBatch(ctx: Context, batchId: string): Promise<void> {
  await moveBatch(ctx, batchId, ["ready", "drained"], "quarantined", "quarantined");
}

/** Takes a batch back into use; redeem itself finds out whether it has codes left. Throws NOT_FOUND, CONFLICT. */
export async function restoreBatch(ctx: Context, batchId: string): Promise<void> {
  await moveBatch(ctx, batchId, ["quarantined"], "ready", "restored");
}
