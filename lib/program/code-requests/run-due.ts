import { and, asc, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import type { Context } from "@/lib/platform/context";
import type { Db } from "@/lib/platform/db/client";
import { apps, codeRequests, refillRules } from "@/lib/platform/db/schema";
import type { Queue } from "@/lib/platform/jobs/queue";
import { log } from "@/lib/platform/log";
import { systemContext } from "@/lib/tenants/apps/app";
import { advanceClaimed, WORK_OPTIONS, type WorkOptions } from "./advance";
import { type ClaimedRequest, claimCodeRequest } from "./claim";
import { refillPools } from "./refill";

/** Concurrent requests: a store that does not respond blocks its slot for half a minute. */
const CONCURRENCY = 4;

const POLL_MS = 5_000;

interface LeasedRequest {
  ctx: Context;
  request: ClaimedRequest;
}

/** Claims the due requests. If several processes find the same one, one claims it. */
async function claimDue(db: Db, limit: number): Promise<LeasedRequest[]> {
  const due = await db.orm
    .select({ app: apps, id: codeRequests.id })
    .from(codeRequests)
    .innerJoin(apps, and(eq(apps.id, codeRequests.appId), isNull(apps.deletedAt)))
    .where(
      and(
        inArray(codeRequests.state, sql`('asked', 'made')`),
        lte(codeRequests.dueAt, sql`now()`),
        sql`(${codeRequests.leasedUntil} is null or ${codeRequests.leasedUntil} < now())`,
      ),
    )
    .orderBy(asc(codeRequests.dueAt))
    .limit(limit);
  const claimed: LeasedRequest[] = [];
  for (const { app, id } of due) {
    const ctx = systemContext(db, app);
    const request = await claimCodeRequest(ctx, id);
    if (request) claimed.push({ ctx, request });
  }
  return claimed;
}

/** The due requests for codes of all apps. A request that fails or hangs does not stop the others. */
export function codeRequestQueue(db: Db, options: WorkOptions = WORK_OPTIONS): Queue<LeasedRequest> {
  return {
    name: "code requests",
    take: (limit) => claimDue(db, limit),
    work: ({ ctx, request }) => advanceClaimed(ctx, request, options),
    concurrency: CONCURRENCY,
    pollMs: POLL_MS,
  };
}

/** Refills the pools of every app with an enabled refill rule. */
export async function runRefills(db: Db): Promise<void> {
  const found = await db.orm
    .selectDistinctOn([apps.id], { app: apps })
    .from(refillRules)
    .innerJoin(apps, and(eq(apps.id, refillRules.appId), isNull(apps.deletedAt)))
    .where(eq(refillRules.enabled, true));
  for (const { app } of found) {
    await refillPools(systemContext(db, app)).catch((error: unknown) => {
      log().warn({ err: error, app: app.id }, "the refills of an app could not be checked");
    });
  }
}
