import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { pools } from "@/lib/db/schema";
import { limits } from "@/lib/limits/limits";
import { pageAddress, sendMail } from "@/lib/mail/send";
import { alertedPeople } from "@/lib/stats/alerted-people";
import { type PoolStock, stockOf } from "@/lib/stats/stock";

const PLATFORMS = { ios: "iOS", android: "Android" } as const;

/** Whole codes and days in words. */
const counted = (count: number, noun: string) =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

/** What is written to whoever looks after a pool. */
function lowStockLetter(ctx: Context, pool: PoolStock): { subject: string; text: string } {
  const left = pool.free === 0 ? "no codes" : counted(pool.free, "code");
  const lasts =
    pool.free > 0 && pool.daysLeft !== null
      ? `At the pace of the last seven days that is enough for ${counted(Math.floor(pool.daysLeft), "day")}.`
      : undefined;
  const empty = `Until it is refilled ${pool.use === "referee" ? "redeem" : "claim"} answers NO_CODES_AVAILABLE.`;
  const lines = [
    `The pool "${pool.name}" (${PLATFORMS[pool.platform]}, ${pool.use} codes) of ${ctx.app.name} has ${left} left.`,
    pool.free === 0 ? empty : lasts,
    "",
    "Upload codes:",
    pageAddress(`/dashboard/apps/${ctx.app.id}/codes/pools/${pool.id}`),
    "",
    `You are told once when ${counted(pool.lowStock, "code")} or fewer are left. Both can be changed on that page.`,
  ];
  return {
    subject: `${ctx.app.name}: ${left} left in "${pool.name}"`,
    text: lines.filter((line) => line !== undefined).join("\n"),
  };
}

async function tell(ctx: Context, pool: PoolStock): Promise<void> {
  const one = and(eq(pools.appId, ctx.app.id), eq(pools.id, pool.id));
  await ctx.db.transaction(async (db) => {
    // The guarded update is what lets one process through.
    const crossed = await db.orm
      .update(pools)
      .set({ lowSince: sql`now()` })
      .where(and(one, isNull(pools.lowSince)))
      .returning({ id: pools.id });
    if (crossed.length === 0) return;
    const { id, name, platform, use, free, lowStock } = pool;
    const payload = { pool_id: id, name, platform, use, free, low_stock: lowStock };
    await db.call("emit", [ctx.app.id, "pool.low", payload]);
    const people = pool.alertTo.length > 0 ? pool.alertTo : await alertedPeople({ ...ctx, db });
    for (const to of people) {
      // The addresses and most of the words are the owner's: a pool that is low again and again writes to nobody.
      const { allowed } = await limits().stockMail(ctx.app.id, to);
      if (allowed) await sendMail(db, { to, ...lowStockLetter(ctx, pool) });
    }
  });
}

/**
 * Tells whoever looks after a pool that it runs low: once, however many processes look, until it has been refilled.
 * A pool that never had a code is not low but new. `stock` saves reading it again.
 */
export async function watchStock(ctx: Context, stock?: PoolStock[]): Promise<void> {
  for (const pool of stock ?? (await stockOf(ctx))) {
    const low = pool.size > 0 && pool.free <= pool.lowStock;
    if (low && !pool.lowSince) await tell(ctx, pool);
    if (low || !pool.lowSince) continue;
    await ctx.db.orm
      .update(pools)
      .set({ lowSince: null })
      .where(and(eq(pools.appId, ctx.app.id), eq(pools.id, pool.id), isNotNull(pools.lowSince)));
  }
}
