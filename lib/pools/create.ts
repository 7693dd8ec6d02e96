import { uuidv7 } from "uuidv7";
import type { Context } from "@/lib/context";
import { type PoolInput, poolInput } from "@/lib/contract/pool";
import { pools } from "@/lib/db/schema";
import { parseInput } from "@/lib/parse-input";

/** Makes an empty pool. Throws VALIDATION_ERROR. */
export async function createPool(ctx: Context, input: PoolInput): Promise<{ id: string }> {
  const row = { ...parseInput(poolInput, input), appId: ctx.app.id, id: uuidv7() };
  await ctx.db.orm.insert(pools).values(row);
  return { id: row.id };
}
