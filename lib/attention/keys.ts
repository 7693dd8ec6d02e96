import { listKeys } from "@/lib/api-keys/list";
import type { Context } from "@/lib/context";
import type { Attention } from "@/lib/contract/overview";
import { DAY_MS } from "@/lib/stats/tail";

/** Keys that work, are older than a day, and were never used: forgotten, or not in the app yet. */
export async function keysAttention(ctx: Context): Promise<Attention[]> {
  const keys = await listKeys(ctx);
  return keys
    .filter(({ state, lastUsedAt }) => state === "active" && !lastUsedAt)
    .filter(({ createdAt }) => Date.now() - createdAt.getTime() > DAY_MS)
    .map(({ id, name }) => ({ kind: "key_unused", id, name }));
}
