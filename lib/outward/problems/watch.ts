import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { type AlertKind, problemHref } from "@/lib/contract/problems";
import { type Channel, loadChannels } from "@/lib/outward/problems/channels";
import { detect, type Known } from "@/lib/outward/problems/detect";
import { oldestDueEmail } from "@/lib/outward/problems/detect-deliveries";
import { sendProblemEmails } from "@/lib/outward/problems/email";
import { queuePost } from "@/lib/outward/problems/post";
import { type AlertedProblem, isAlerted, openAlerts, problemKey } from "@/lib/outward/problems/problem";
import type { Context } from "@/lib/platform/context";
import type { Db } from "@/lib/platform/db/client";
import { alerts, pools } from "@/lib/platform/db/schema";
import { pageAddress } from "@/lib/platform/email/send";
import { emitEvent } from "@/lib/platform/events/emit";
import { forEveryApp } from "@/lib/program/retention/every-app";
import { type PoolStock, stockOf } from "@/lib/program/stats/stock";

/** Looks for problems in every app and notifies about new ones. */
export async function watchProblems(db: Db): Promise<void> {
  const oldestEmail = await oldestDueEmail(db);
  await forEveryApp(
    db,
    (ctx) => watchApp(ctx, { oldestEmail }),
    "The problems of an app could not be detected",
  );
}

/**
 * Notifies about an app's new problems, most urgent first, each once, however many processes run this. A solved
 * problem loses its row, so its next occurrence is notified again.
 */
export async function watchApp(ctx: Context, known: Known = {}): Promise<void> {
  const stock = known.stock ?? (await stockOf(ctx));
  for (const pool of stock) await emitLowStock(ctx, pool);
  const open = await openAlerts(ctx);
  const problems = (await detect(ctx, { ...known, stock, open })).filter(isAlerted);
  for (const problem of problems) if (!open.has(problemKey(problem))) await notify(ctx, problem);
  const current = new Set(problems.flatMap((problem) => keysOf(problem)));
  for (const key of open.keys()) if (!current.has(key)) await rearm(ctx, key);
}

/** The keys of a problem and of the lesser state that it includes. */
const keysOf = ({ kind, subject, includes }: AlertedProblem): string[] =>
  [subject, includes].filter((name) => name !== undefined).map((name) => problemKey({ kind, subject: name }));

async function rearm(ctx: Context, key: string): Promise<void> {
  const [kind = ""] = key.split(" ", 1);
  const subject = key.slice(kind.length + 1);
  await ctx.db.orm
    .delete(alerts)
    .where(and(eq(alerts.appId, ctx.app.id), eq(alerts.kind, kind), eq(alerts.subject, subject)));
}

/**
 * The inserted row admits one process. Emails and posts are written in its transaction, so neither is stored
 * without the other.
 */
async function notify(ctx: Context, problem: AlertedProblem): Promise<void> {
  const { kind, subject, includes, title, detail, path } = problem;
  await ctx.db.transaction(async (db) => {
    const row = { appId: ctx.app.id, kind, title, detail, path };
    const first = await db.orm
      .insert(alerts)
      .values({ ...row, subject })
      .onConflictDoNothing()
      .returning({ kind: alerts.kind });
    if (first.length === 0) return;
    if (includes !== undefined) {
      await db.orm
        .insert(alerts)
        .values({ ...row, subject: includes })
        .onConflictDoNothing();
    }
    const channels = await channelsFor({ ...ctx, db }, kind);
    const message = {
      title: `${ctx.app.name}: ${title}`,
      detail,
      url: pageAddress(problemHref(ctx.app.id, path)),
    };
    for (const { id, type } of channels) {
      if (type !== "mail") await queuePost(db, { appId: ctx.app.id, channelId: id, message });
    }
    const mailboxes = channels.flatMap(({ type, target }) => (type === "mail" && target ? [target] : []));
    await sendProblemEmails({ ...ctx, db }, problem, mailboxes);
  });
}

async function channelsFor(ctx: Context, kind: AlertKind): Promise<Channel[]> {
  return (await loadChannels(ctx)).filter(({ enabled, kinds }) => enabled && kinds.includes(kind));
}

/** Emits `pool.low` once per crossing of the pool's own threshold. A pool that never had a code is new, not low. */
async function emitLowStock(ctx: Context, pool: PoolStock): Promise<void> {
  const { id, name, platform, use, free, lowStock } = pool;
  const ownPool = and(eq(pools.appId, ctx.app.id), eq(pools.id, id));
  const low = pool.size > 0 && free <= lowStock;
  if (low && !pool.lowSince) {
    await ctx.db.transaction(async (db) => {
      const crossed = await db.orm
        .update(pools)
        .set({ lowSince: sql`now()` })
        .where(and(ownPool, isNull(pools.lowSince)))
        .returning({ id: pools.id });
      if (crossed.length === 0) return;
      const payload = { pool_id: id, name, platform, use, free, low_stock: lowStock };
      await emitEvent({ ...ctx, db }, "pool.low", payload);
    });
  }
  if (low || !pool.lowSince) return;
  await ctx.db.orm
    .update(pools)
    .set({ lowSince: null })
    .where(and(ownPool, isNotNull(pools.lowSince)));
}
