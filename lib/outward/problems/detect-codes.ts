import { and, eq, isNotNull, sql } from "drizzle-orm";
import {
  DAY_MS,
  formatCount,
  formatDaysLeft,
  formatLongDate,
  formatMany,
  formatNumber,
  PLATFORM_NAME,
  plural,
} from "@/lib/contract/format";
import { LOW_STOCK_DAYS, stockLevel } from "@/lib/contract/pool";
import {
  anotherOffer,
  awaitedOffers,
  hadAll,
  nextOffer,
  offersIn,
  rewardsWait,
  type WaitingRewards,
} from "@/lib/outward/problems/detect-rewards";
import { type Problem, problemKey } from "@/lib/outward/problems/problem";
import { refillRules } from "@/lib/platform/db/schema";
import { refusedAddresses } from "@/lib/platform/email/mailbox";
import { pageAddress } from "@/lib/platform/email/send";
import { hasOtherCode } from "@/lib/program/code-requests/refill";
import { personIds } from "@/lib/program/end-users/pseudonym";
import { inLine } from "@/lib/program/line/line";
import { PACE_DAYS } from "@/lib/program/stats/pool-usage";
import { inOrderOfUse, type PoolStock } from "@/lib/program/stats/stock";
import type { Context } from "@/lib/tenants/context";

/** The pace fluctuates from day to day, so a low pool stays low until it lasts this long. */
const ENOUGH_DAYS = 10;

/** A batch that can be used for at most this many more days is a problem if it would have codes left over. */
export const SOON_DAYS = 14;

/** The same for a pool in its first week with too few assigned codes for a forecast: its codes may well be used. */
const SOON_DAYS_WITHOUT_FORECAST = 3;

interface Known {
  open: ReadonlyMap<string, Date>;
  waiting: WaitingRewards[];
}

/** Pools that are empty, low or without reachable recipients, stopped refills, batches that expire with codes left. */
export async function codeProblems(ctx: Context, stock: PoolStock[], known: Known): Promise<Problem[]> {
  return [
    ...stock.flatMap((pool) => poolProblems(ctx, pool, known)),
    ...(await refusedRecipients(ctx, stock)),
    ...(stock.length > 0 ? await stoppedRefills(ctx, stock) : []),
    ...stock.flatMap((pool) => expiringBatches(pool, Date.now())),
  ];
}

/** Pools whose own recipients the mail server refuses. Owners and admins get the emails of critical problems only. */
async function refusedRecipients(ctx: Context, stock: PoolStock[]): Promise<Problem[]> {
  const refused = await refusedAddresses(
    ctx.db,
    stock.flatMap(({ alertTo }) => alertTo),
  );
  return stock.flatMap(({ id, name, alertTo }) => {
    const unreachable = alertTo.filter((to) => refused.has(to.toLowerCase()));
    if (unreachable.length === 0) return [];
    const recipients = unreachable.length < alertTo.length ? "Some recipients" : "Recipients";
    return {
      ...{ kind: "backlog", severity: "warning", subject: `pool ${id} recipients`, needs: "member" },
      title: `${recipients} of the pool “${name}” get no alerts`,
      detail: `Correct ${plural(unreachable.length, "the address", "the addresses")}: the mail server accepts no emails to ${unreachable.join(", ")}.`,
      ...{ path: `/codes/pools/${id}`, action: "Open pool" },
    };
  });
}

/** An empty pool and a low one are separate problems, so going from low to empty is notified again. */
function poolProblems(ctx: Context, pool: PoolStock, { open, waiting }: Known): Problem[] {
  const { id, name, daysLeft, lowStock } = pool;
  const inUse = pool.usedBy.some(({ status }) => status === "active");
  const common = {
    kind: "pool_low",
    path: `/codes/import?pool=${id}`,
    action: "Import codes",
    needs: "member",
    recipients: pool.alertTo,
    more: [
      `This email is sent once when ${formatCount(lowStock, "code")} or fewer are left or the pool lasts less than ${LOW_STOCK_DAYS} days, and once when it is empty. Change the threshold and the recipients:`,
      pageAddress(`/dashboard/apps/${ctx.app.id}/codes/pools/${id}`),
    ].join("\n"),
  } as const;
  const lowDays = open.has(problemKey({ kind: "pool_low", subject: id })) ? ENOUGH_DAYS : LOW_STOCK_DAYS;
  const level = stockLevel(pool, lowDays);
  if (level === "empty") {
    const ofPool = waiting.filter((found) => found.pool?.id === id);
    const rewards = ofPool.reduce((sum, { count }) => sum + count, 0);
    // A new pool without codes is not a problem until a campaign uses it.
    if (pool.size === 0 && !inUse && rewards === 0) return [];
    return [
      {
        ...common,
        subject: `${id} empty`,
        includes: id,
        severity: inUse || rewards > 0 ? "critical" : "warning",
        title: `The pool “${name}” is empty`,
        detail: emptyDetail(pool, inUse, rewards),
      },
    ];
  }
  if (level === "good") return [];
  return [
    {
      ...common,
      subject: id,
      severity: "warning",
      title: `The pool “${name}” has ${formatCount(pool.free, "code")} left`,
      detail:
        daysLeft === null
          ? "Import codes before it is empty."
          : `Import codes: at the pace of the last 7 days, they will last ${formatDaysLeft(daysLeft).toLowerCase()}.`,
    },
  ];
}

function emptyDetail(
  { platform, use, quarantined, inLine }: PoolStock,
  inUse: boolean,
  waiting: number,
): string {
  const store = PLATFORM_NAME[platform];
  const isIdle = !inUse && waiting === 0 && inLine === 0;
  const effect =
    use === "referee"
      ? `friends on ${store} get no code${inLine > 0 ? `, and ${formatMany(inLine, "person is", "people are")} waiting in line for the next ones` : ""}`
      : waiting > 0
        ? `${rewardsWait(waiting)} for them`
        : `rewards earned on ${store} cannot be claimed`;
  const reserve =
    quarantined > 0
      ? ` ${formatNumber(quarantined)} of its codes ${plural(quarantined, "is", "are")} quarantined and can be restored.`
      : "";
  return `${isIdle ? "Import codes before a campaign uses it: no active one does" : `Import codes: ${effect}`}.${reserve}`;
}

/** Refills that stopped and say why. */
async function stoppedRefills(ctx: Context, stock: PoolStock[]): Promise<Problem[]> {
  const { appId, enabled, stopped, poolId, stoppedBecause } = refillRules;
  const rows = await ctx.db.orm
    .select({ poolId, stoppedBecause })
    .from(refillRules)
    .where(and(eq(appId, ctx.app.id), eq(enabled, true), isNotNull(stopped)));
  return rows.map((rule) => ({
    kind: "refill_stopped",
    subject: rule.poolId,
    severity: "warning",
    title: `The pool “${stock.find(({ id }) => id === rule.poolId)?.name}” is no longer refilled`,
    detail: `Review the refill rule: ${rule.stoppedBecause ?? "the refill stopped."}`,
    path: "/codes/app-store",
    action: "Open App Store Connect",
  }));
}

/** Batches that the pace of their pool does not use up before their safety margin begins, the first to expire first. */
function expiringBatches(pool: PoolStock, now: number): Problem[] {
  let days = 0;
  const isNew = now - pool.createdAt.getTime() < PACE_DAYS * DAY_MS;
  const [soon, use] =
    pool.perDay > 0
      ? [SOON_DAYS, "more than will be used at the current pace"]
      : isNew
        ? [SOON_DAYS_WITHOUT_FORECAST, "and the pool is too new for a forecast"]
        : [SOON_DAYS, "and too few were assigned this week for a forecast"];
  const leftOver = new Set<string>();
  for (const { id, free, expiresAt } of inOrderOfUse(pool.batches, pool.offers)) {
    const left = expiresAt ? (Number(expiresAt) - pool.marginMs - now) / DAY_MS : Number.POSITIVE_INFINITY;
    const needed = days + (pool.perDay > 0 ? free / pool.perDay : Number.POSITIVE_INFINITY);
    if (left <= soon && needed > left) leftOver.add(id);
    // The next batch is used from then on.
    days = Math.max(days, Math.min(needed, left));
  }
  return inOrderOfUse(pool.batches).flatMap(({ id, offer, origin, free, expiresAt }): Problem[] => {
    if (!expiresAt || !leftOver.has(id)) return [];
    const end = formatLongDate(new Date(Number(expiresAt) - pool.marginMs));
    const until = pool.marginMs > 0 ? `by ${end}, when they stop being assigned` : "before then";
    return [
      {
        kind: "batch_expiring",
        subject: id,
        severity: "warning",
        title: `Codes of “${offer ?? origin ?? pool.name}” expire on ${formatLongDate(expiresAt)}`,
        detail: `Use them ${until}: ${formatNumber(free)} ${plural(free, "is", "are")} free, ${use}.`,
        path: `/codes/batches/${id}`,
        action: "Open batch",
      },
    ];
  });
}

/** Pools with codes for newcomers only: the referees in line (the first 10,000) have had a code of each offer. */
export async function lineProblems(ctx: Context, stock: PoolStock[]): Promise<Problem[]> {
  const found = stock.flatMap((pool) => {
    const offers = offersIn(pool);
    const fits = offers.size === 0 || offers.has(null);
    return pool.inLine === 0 || fits ? [] : [{ pool: pool.id, platform: pool.platform, offers }];
  });
  if (found.length === 0) return [];
  const withAwaited = await awaitedOffers(ctx);
  const pools = found.map((row) => ({ ...row, offers: withAwaited(row.pool, row.offers) }));
  const places: object[] = [];
  for (const { pool } of pools) for (const place of await inLine(ctx, pool)) places.push({ ...place, pool });
  const { rows } = await ctx.db.orm.execute<{ pool: string; referees: number }>(sql`
    select c.pool, count(*)::int as referees
      from jsonb_to_recordset(${JSON.stringify(pools)}::jsonb) as c (pool uuid, platform text, offers text[])
      join jsonb_to_recordset(${JSON.stringify(places)}::jsonb)
           as l (pool uuid, campaign_id uuid, referee_uid text collate "C", created_at timestamptz) on l.pool = c.pool
     where ${hadAll(ctx, "l.referee_uid")}
       and not ${hasOtherCode(ctx.app.id, personIds(ctx.app.id, sql`l.referee_uid`))}
     group by c.pool`);
  return rows.flatMap(({ pool: id, referees }): Problem[] => {
    const pool = stock.find((candidate) => candidate.id === id);
    if (!pool) return [];
    return [
      {
        kind: "pool_low",
        subject: `${id} offer`,
        severity: "critical",
        title: `${formatMany(referees, "person", "people")} in line ${referees === 1 ? "needs" : "need"} ${nextOffer(pool)}`,
        detail: `${anotherOffer(pool)}: codes are free, but these people have already had a code of each of its offers.`,
        path: `/codes/import?pool=${id}`,
        action: "Import codes",
        needs: "member",
      },
    ];
  });
}
