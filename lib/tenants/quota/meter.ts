import { databaseNow } from "@/lib/platform/db/chunks";
import type { Db } from "@/lib/platform/db/client";
import { fail } from "@/lib/platform/errors";
import type { Meter, QuotaAnswer } from "@/lib/tenants/context";
import { type Lease, leaseOf, TAKE_QUOTA } from "@/lib/tenants/quota/lease";

/** A meter that counts nothing, for the dashboard, providers and the service itself. */
export const unmetered: Meter = {
  statement: () => ({ workspace: null, quota_limit: 0, quota_units: 0 }),
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
      lease.update(answer);
      month = answer.reset;
      // The rest after this request, even if parallel requests have used more since then.
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
      return { workspace: workspaceId, quota_limit: limit, quota_units: paid || payAhead() ? 0 : 1 };
    },
    settle,
    async take() {
      if (paid || payAhead()) return;
      settle(await db.call(TAKE_QUOTA, { app: appId, workspace: workspaceId, limit, units: 1 }));
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
  const retryAfter = Math.max(1, lease.reset - Math.floor(databaseNow() / 1000));
  const message =
    "The monthly request quota of this workspace is exhausted; it resets on the 1st at 00:00 UTC";
  return fail("RATE_LIMITED", message, { retryAfter });
}
