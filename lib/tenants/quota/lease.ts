import { sqlFunction } from "@/lib/platform/db/calls";
import { databaseNow } from "@/lib/platform/db/chunks";
import { type Db, database } from "@/lib/platform/db/client";
import { neverRan } from "@/lib/platform/db/outage";
import { log } from "@/lib/platform/log";
import { singleton } from "@/lib/platform/singleton";
import type { QuotaAnswer } from "@/lib/tenants/context";
import { monthOf } from "@/lib/tenants/quota/usage";

export const TAKE_QUOTA = sqlFunction("take_quota", {
  app: "uuid",
  workspace: "uuid",
  limit: "bigint",
  units: "int",
}).returns<QuotaAnswer>();

export const RETURN_QUOTA = sqlFunction("return_quota", {
  workspace: "uuid",
  reset: "bigint",
  units: "int",
}).returns<void>();

/** Unused units are returned after this time, so that an idle process does not hold the rest of a quota. */
const IDLE_MS = 3_000;

/** Unix second of the first of next month, UTC. */
export function nextMonth(): number {
  return monthOf(new Date(databaseNow())).end.getTime() / 1_000;
}

/**
 * Units to take ahead: a thousandth of the quota, fewer near its end, at most 100. Below 2 none are taken ahead, so
 * small plans stay exact to the unit in any number of processes.
 */
export function shareOf(limit: number, remaining: number): number {
  return Math.floor(Math.min(100, limit / 1_000, remaining / 100));
}

/** This process's share of a workspace's month. The database has already counted its units. */
export class Lease {
  units = 0;
  remaining: number;
  reset = nextMonth();
  /** By the monotonic clock. */
  usedAt = 0;
  private refilling = false;

  constructor(
    readonly workspaceId: string,
    public limit: number,
  ) {
    this.remaining = limit;
  }

  /** Pays one request from the share, and takes the next share before this one is used up. */
  spend(db: Db, appId: string): boolean {
    this.usedAt = performance.now();
    if (databaseNow() / 1000 >= this.reset) this.startMonth();
    const share = shareOf(this.limit, this.remaining);
    if (share > 1 && this.units <= share / 2) void this.refill(db, appId, share);
    if (this.units === 0) return false;
    this.units -= 1;
    return true;
  }

  /**
   * Adopts the database's count, unless it is about a month that has ended meanwhile. An earlier month that has not
   * ended is the current one: this process's clock was ahead for a while.
   */
  update(answer: QuotaAnswer): void {
    if (answer.reset < this.reset && answer.reset <= databaseNow() / 1000) return;
    if (answer.reset !== this.reset) this.units = 0;
    this.remaining = answer.remaining;
    this.reset = answer.reset;
  }

  /** Takes back one unit of the month that ends at `reset`; a unit of an earlier month is dropped. */
  giveBack(reset: number): void {
    if (reset === this.reset) this.units += 1;
  }

  /** Requests left this month, to this process's knowledge. */
  left(): number {
    return Math.min(this.limit, this.remaining + this.units);
  }

  private startMonth(): void {
    this.units = 0;
    this.remaining = this.limit;
    this.reset = nextMonth();
  }

  private async refill(db: Db, appId: string, share: number): Promise<void> {
    if (this.refilling) return;
    this.refilling = true;
    try {
      const { workspaceId: workspace, limit } = this;
      const answer = await db.call(TAKE_QUOTA, { app: appId, workspace, limit, units: share });
      this.update(answer);
      if (answer.reset === this.reset) this.units += answer.granted;
      // The database is still in the month that has ended by this process's clock.
      else await db.call(RETURN_QUOTA, { workspace, reset: answer.reset, units: answer.granted });
    } catch (error) {
      log().debug({ err: error }, "could not take a share of the quota in advance");
    } finally {
      this.refilling = false;
    }
  }
}

const leases = () => singleton("quota-leases", () => new Map<string, Lease>());

/** The process's lease of a workspace. A changed limit takes effect at once. */
export function leaseOf(workspaceId: string, limit: number): Lease {
  const all = leases();
  let lease = all.get(workspaceId);
  if (!lease) {
    lease = new Lease(workspaceId, limit);
    all.set(workspaceId, lease);
  }
  if (lease.limit !== limit) {
    lease.remaining = Math.max(0, lease.remaining + limit - lease.limit);
    lease.limit = limit;
  }
  return lease;
}

/** The units that this process has taken in advance and not spent, of all workspaces. */
export function leasedUnits(): number {
  let units = 0;
  for (const lease of leases().values()) units += lease.units;
  return units;
}

/** Returns unused units to the database: those of idle workspaces, or all when the process ends. */
export async function returnUnused(all: boolean, db: Db = database()): Promise<void> {
  const before = performance.now() - IDLE_MS;
  let failure: unknown;
  for (const lease of leases().values()) {
    if (lease.units === 0 || (!all && lease.usedAt > before)) continue;
    await returnUnits(lease, db).catch((error: unknown) => {
      failure ??= error;
    });
  }
  if (failure) throw failure;
}

async function returnUnits(lease: Lease, db: Db): Promise<void> {
  const { units, reset } = lease;
  lease.units = 0;
  try {
    await db.call(RETURN_QUOTA, { workspace: lease.workspaceId, reset, units });
    if (reset === lease.reset) lease.remaining += units;
  } catch (error) {
    // Units that may have been returned are dropped: spending them again would exceed the quota.
    if (neverRan(error) && reset === lease.reset) lease.units += units;
    throw error;
  }
}
