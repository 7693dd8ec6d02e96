import type { Db } from "@/lib/db/client";
import { fail } from "@/lib/errors";
import { type Lease, leaseOf, type QuotaAnswer } from "@/lib/quota/lease";

/** What the rate-limit headers say: requests a month, how many are left, and the Unix second of the next month. */
interface QuotaState {
  limit: number;
  remaining: number;
  reset: number;
}

/**
 * Counts one request. A hot verb passes {@link statement} to its SQL function and hands the function's `quota` to
 * {@link settle}, so that counting costs no round trip of its own; every other verb is counted by {@link take}.
 */
export interface Meter {
  /** Workspace, monthly limit, and the units that the statement has to take: 0 where a share taken earlier pays. */
  statement(): [workspaceId: string | null, limit: number, units: number];
  /** Throws RATE_LIMITED where the statement was refused. */
  settle(answer: QuotaAnswer | null): void;
  /** Counts in a statement of its own, unless the request is counted already. Throws RATE_LIMITED. */
  take(): Promise<void>;
  /** The request ended in a fault of ours (5xx) and does not count. */
  refund(): void;
  state(): QuotaState;
}

/** Counts nothing: people in the dashboard, providers, the service itself. */
export const unmetered: Meter = {
  statement: () => [null, 0, 0],
  settle: () => undefined,
  take: async () => undefined,
  refund: () => undefined,
  state: () => ({ limit: 0, remaining: 0, reset: 0 }),
};

/** A meter for one request of an app against its workspace's monthly limit. */
export function meterFor(db: Db, appId: string, workspaceId: string, limit: number): Meter {
  const lease = leaseOf(workspaceId, limit);
  let paid = false;
  let month = lease.reset;
  let left: number | undefined;
  const settle = (answer: QuotaAnswer | null) => {
    if (answer) {
      lease.learn(answer);
      month = answer.reset;
      // What this very request left, whatever requests beside it have left since.
      left = Math.min(limit, answer.remaining + lease.units);
    }
    if (answer?.granted === 0) refuse(lease);
    paid = true;
  };
  const payAhead = () => {
    paid = lease.spend(db, appId);
    month = lease.reset;
    return paid;
  };
  return {
    statement() {
      return [workspaceId, limit, paid || payAhead() ? 0 : 1];
    },
    settle,
    async take() {
      if (paid || payAhead()) return;
      settle(await db.call<QuotaAnswer>("take_quota", [appId, workspaceId, limit, 1]));
    },
    refund() {
      if (paid) lease.giveBack(month);
      paid = false;
      left = undefined;
    },
    state: () => ({ limit, remaining: left ?? lease.left(), reset: lease.reset }),
  };
}

function refuse(lease: Lease): never {
  const retryAfter = Math.max(1, lease.reset - Math.floor(Date.now() / 1000));
  return fail("RATE_LIMITED", "The monthly request quota of this workspace is exhausted", { retryAfter });
}
