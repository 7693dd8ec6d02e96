import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { poolChange } from "@/lib/contract/pool";
import { pools } from "@/lib/db/schema";
import { parseInput } from "@/lib/parse-input";
import { getPool } from "./get";

/** Renames a pool, and sets when its stock is low and who is told. Throws NOT_FOUND, VALIDATION_ERROR. */
export async function changePool(ctx: Context, input: z.input<typeof poolChange>): Promise<void> {
  const { poolId, ...change } = parseInput(poolChange, input);
  await ctx.db.transaction(async (db) => {
    const { name, lowStock, alertTo } = await getPool({ ...ctx, db }, poolId);
    await db.orm
      .update(pools)
      .set(change)
      .where(and(eq(pools.appId, ctx.app.id), eq(pools.id, poolId)));
    await recordAudit(db, ctx, {
      action: "pool.changed",
      subject: "pool",
      subjectId: poolId,
      subjectName: change.name,
      before: { name, lowStock, alertTo },
      after: change,
    });
  });
}
