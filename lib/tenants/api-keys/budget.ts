import { sqlFunction } from "@/lib/platform/db/calls";
import { databaseNow } from "@/lib/platform/db/chunks";
import type { Db } from "@/lib/platform/db/client";
import { neverRan } from "@/lib/platform/db/outage";
import type { LimitDecision } from "@/lib/platform/limits/decision";
import { log } from "@/lib/platform/log";
import { singleton } from "@/lib/platform/singleton";
import type { Context, QuotaAnswer } from "@/lib/tenants/context";
import { refuseByKey } from "./refusals";
import type { KeyRecord } from "./verify";

const TAKE_BUDGET = sqlFunction("take_budget", {
  app: "uuid",
  key: "uuid",
  limit: "int",
  owed: "int",
  units: "int",
  reset: "bigint?",
}).returns<QuotaAnswer>();

/** Requests that may pass while this process takes its first units, so that they do not wait for a round trip. */
const CREDIT = 8;

/** Unused units are returned after this time, like those of the monthly quota. */
const IDLE_MS = 3_000;

/** A key without requests for an hour is forgotten here. */
const FORGET_MS = 3_600_000;

/** A used-up budget is read again after this time: another process may have returned units. */
const READ_AGAIN_MS = 5_000;

/**
 * This process's units of a key's day (UTC), taken ahead in the background like those of the monthly quota. `units` in
 * hand and `remaining` in the database add up to the rest of the budget. Exact within a process; several processes can
 * exceed it by {@link CREDIT} requests each.
 */
class Budget {
  /** Below zero: requests that passed on credit. */
  private units = 0;
  /** Units taken under a higher limit, which the next call returns; `remaining` includes them already. */
  private spare = 0;
  private remaining: number;
  /** The end of the day in Unix seconds, by the database's clock once it has answered. */
  private reset = Number.POSITIVE_INFINITY;
  private refilling: Promise<void> | undefined;
  /** By the monotonic clock, like {@link usedAt}. */
  private readAt = 0;
  usedAt = 0;

  constructor(
    readonly key: Pick<KeyRecord, "id" | "app" | "limitsId">,
    private limit: number,
  ) {
    this.remaining = limit;
  }

  /** Pays one request; false when the budget of the day is used up. Throws what the database throws. */
  async spend(db: Db): Promise<boolean> {
    this.usedAt = performance.now();
    await this.turnDay(db);
    this.refillInTime(db);
    while (!this.hasUnit()) {
      if (!this.refilling) return false;
      await this.refilling;
      this.refillInTime(db);
    }
    this.units -= 1;
    return true;
  }

  /** The function that returns the unit of a request that does not count. */
  returner(): () => void {
    const day = this.reset;
    return () => {
      // Before the database's first answer the end of the day is not known.
      if (day === this.reset || day === Number.POSITIVE_INFINITY) this.units += 1;
    };
  }

  /** Adopts a changed limit at once. */
  update(limit: number): void {
    this.shift(limit - this.limit);
    this.limit = limit;
  }

  /** Returns the units in hand and counts those on credit. */
  async settle(db: Db): Promise<void> {
    // A refill under way grants units, and counts no credit.
    await this.refilling;
    if (this.units !== 0 || this.spare !== 0) await this.refill(db, 0);
  }

  /** The refusal, with its numbers for the headers. */
  decision(): LimitDecision {
    const retryAfter = Math.max(1, Math.ceil(this.reset - databaseNow() / 1_000));
    return { allowed: false, limit: this.limit, remaining: 0, resetAt: this.reset, retryAfter };
  }

  /** Under a lowered limit no unit in hand is certain: other processes may have spent more than this one knows. */
  private shift(difference: number): void {
    if (difference < 0 && this.units > 0) {
      this.spare += this.units;
      this.remaining += this.units;
      this.units = 0;
    }
    this.remaining = Math.max(0, this.remaining + difference);
  }

  private hasUnit(): boolean {
    return this.units > 0 || (this.units > -CREDIT && this.units + this.remaining > 0);
  }

  /** A new day gives no credit: the database's clock says when it begins. */
  private async turnDay(db: Db): Promise<void> {
    if (databaseNow() / 1_000 < this.reset) return;
    await (this.refilling ?? this.refill(db, this.shareOf(this.limit)));
  }

  private refillInTime(db: Db): void {
    const share = this.shareOf(this.remaining);
    const again = this.remaining === 0 && performance.now() - this.readAt > READ_AGAIN_MS;
    const due = this.spare > 0 || (this.units <= share / 2 && (share > 0 || again));
    if (this.refilling || !due) return;
    this.refill(db, Math.max(share, 1)).catch((error: unknown) =>
      log().debug({ err: error }, "could not take units of a daily budget"),
    );
  }

  private shareOf(left: number): number {
    return Math.ceil(Math.min(100, left / 20));
  }

  private refill(db: Db, share: number): Promise<void> {
    this.refilling ??= this.take(db, share).finally(() => {
      this.refilling = undefined;
    });
    return this.refilling;
  }

  private async take(db: Db, share: number): Promise<void> {
    this.readAt = performance.now();
    const { limit, spare } = this;
    // With no share to take, counts credit and returns the units in hand.
    const returned = share === 0 ? this.units : 0;
    this.spare = 0;
    this.units -= returned;
    this.remaining = Math.max(0, this.remaining + returned);
    const owed = -returned - spare;
    const { id: key, app } = this.key;
    // Units of the day before would otherwise lengthen the new one.
    const reset = Number.isFinite(this.reset) ? this.reset : null;
    const taking = db.call(TAKE_BUDGET, { app: app.id, key, limit, owed, units: share, reset });
    const answer = await taking.catch((error: unknown) => {
      // Restores units only if the statement never ran: counted twice, they would exceed or shorten the day. Units in
      // hand go back with the next call, because the limit may be lower by then; credit stays credit.
      if (neverRan(error)) {
        this.spare += spare + Math.max(returned, 0);
        this.units += Math.min(returned, 0);
        this.remaining -= Math.min(returned, 0);
      }
      throw error;
    });
    if (Number.isFinite(this.reset) && answer.reset !== this.reset) this.units = this.spare = 0;
    this.units += answer.granted;
    this.remaining = answer.remaining;
    this.reset = answer.reset;
    // The limit may have changed meanwhile.
    this.shift(this.limit - limit);
  }
}

const budgets = () => singleton("key-budgets", () => new Map<string, Budget>());

/** The budget of a key in this process; undefined for a key without one. Lifting the limits begins another one. */
function budgetOf({ id, app, limitsId, dailyBudget }: KeyRecord): Budget | undefined {
  // A former budget stays until its units are returned: the budget may be set again on the same day.
  if (dailyBudget === null) return undefined;
  const known = budgets().get(id);
  if (known?.key.limitsId === limitsId) {
    known.update(dailyBudget);
    return known;
  }
  // Units of the former budget are dropped: the database has forgotten them.
  const budget = new Budget({ id, app, limitsId }, dailyBudget);
  budgets().set(id, budget);
  return budget;
}

/** Counts a request against its key's daily budget and returns the function that uncounts it. Throws RATE_LIMITED. */
export async function spendBudget(ctx: Context, key: KeyRecord): Promise<() => void> {
  const budget = budgetOf(key);
  if (!budget) return () => undefined;
  if (await budget.spend(ctx.db)) return budget.returner();
  return refuseByKey(
    ctx,
    "daily_budget",
    budget.decision(),
    "The daily budget of this API key is used up; it resets at 00:00 UTC",
  );
}

/** Returns units that idle keys have not used, or all of them when the process ends. */
export async function settleBudgets(all: boolean, db: Db): Promise<void> {
  const idleSince = performance.now() - IDLE_MS;
  for (const [id, budget] of budgets()) {
    if (!all && budget.usedAt > idleSince) continue;
    await budget.settle(db);
    if (performance.now() - budget.usedAt > FORGET_MS) budgets().delete(id);
  }
}
