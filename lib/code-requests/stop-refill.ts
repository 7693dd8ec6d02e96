import { and, eq, isNull, sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { RefillStop } from "@/lib/contract/code-request";
import { refillRules } from "@/lib/db/schema";
import { limits } from "@/lib/limits/limits";
import { pageAddress, sendMail } from "@/lib/mail/send";
import { getPool } from "@/lib/pools/get";
import { alertedPeople } from "@/lib/stats/alerted-people";

/** Where an app's requests and refills are shown. */
export const roomPath = (appId: string): string => `/dashboard/apps/${appId}/codes/app-store`;

const rulesOf = (ctx: Context) => eq(refillRules.appId, ctx.app.id);

/** Stops a pool's refill and tells the owners and admins: once, however many processes find the same. */
export async function stopRefill(
  ctx: Context,
  poolId: string,
  stopped: RefillStop,
  because: string,
): Promise<void> {
  const running = and(rulesOf(ctx), eq(refillRules.poolId, poolId), isNull(refillRules.stopped));
  await ctx.db.transaction(async (db) => {
    const crossed = await db.orm
      .update(refillRules)
      .set({ stopped, stoppedBecause: because, stoppedAt: sql`now()` })
      .where(running)
      .returning({ poolId: refillRules.poolId });
    if (crossed.length === 0) return;
    const { name } = await getPool({ ...ctx, db }, poolId);
    for (const to of await alertedPeople({ ...ctx, db })) {
      const { allowed } = await limits().stockMail(ctx.app.id, to);
      if (allowed) await sendMail(db, { to, ...letter(ctx, name, because) });
    }
  });
}

function letter(ctx: Context, pool: string, because: string): { subject: string; text: string } {
  const lines = [
    `The pool "${pool}" of ${ctx.app.name} is no longer filled up by itself.`,
    because,
    "",
    "What to do about it:",
    pageAddress(roomPath(ctx.app.id)),
  ];
  return { subject: `${ctx.app.name}: "${pool}" is no longer refilled`, text: lines.join("\n") };
}

/** Stops every refill of an app whose key Apple does not take. */
export async function stopForKey(ctx: Context, because: string): Promise<void> {
  const rules = await ctx.db.orm
    .select({ poolId: refillRules.poolId })
    .from(refillRules)
    .where(and(rulesOf(ctx), eq(refillRules.enabled, true), isNull(refillRules.stopped)));
  for (const { poolId } of rules) await stopRefill(ctx, poolId, "key", because);
}

const RUNNING = { stopped: null, stoppedBecause: null, stoppedAt: null };

/** Lets the refills go on that stopped for the key. */
export async function resumeAfterKey(ctx: Context): Promise<void> {
  await ctx.db.orm
    .update(refillRules)
    .set(RUNNING)
    .where(and(rulesOf(ctx), eq(refillRules.stopped, "key")));
}

/** Lets one refill go on; what was refused before now does not stop it again. */
export async function rearmRefill(ctx: Context, poolId: string): Promise<void> {
  await ctx.db.orm
    .update(refillRules)
    .set({ ...RUNNING, armedAt: sql`now()` })
    .where(and(rulesOf(ctx), eq(refillRules.poolId, poolId)));
}
