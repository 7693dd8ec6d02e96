import { uuidv7 } from "uuidv7";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { type PoolInput, poolInput } from "@/lib/contract/pool";
import { pools } from "@/lib/db/schema";
import { parseInput } from "@/lib/parse-input";

/** Makes an empty pool. Throws VALIDATION_ERROR. */
export async function createPool(ctx: Context, input: PoolInput): Promise<{ id: string }> {
  const given = parseInput(poolInput, input);
  const id = uuidv7();
  await ctx.db.transaction(async (db) => {
    await db.orm.insert(pools).values({ ...given, appId: ctx.app.id, id });
    await recordAudit(db, ctx, {
      action: "pool.created",
      subject: "pool",
      subjectId: id,
      subjectName: given.name,
      after: given,
    });
  });
  return { id };
}
