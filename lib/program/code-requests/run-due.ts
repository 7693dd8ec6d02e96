import { and, asc, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import type { Db } from "@/lib/platform/db/client";
import { apps, codeRequests } from "@/lib/platform/db/schema";
import type { DueRows } from "@/lib/platform/jobs/backlog";
import { LEASE_S, type Queue } from "@/lib/platform/jobs/queue";
import { systemContext } from "@/lib/tenants/apps/app";
import type { Context } from "@/lib/tenants/context";
import { advanceClaimed, WORK_OPTIONS, type WorkOptions } from "./advance";
import { type ClaimedRequest, claimCodeRequest, extendClaims } from "./claim";

/** Concurrent requests: a store that does not respond blocks its slot for half a minute. */
const CONCURRENCY = 4;

/** Requests that no process works on, of apps that are not deleted. */
export const DUE_CODE_REQUESTS: DueRows = {
  name: "code requests",
  select: (app) => sql`
    select r.app_id, r.due_at as at from code_requests r join apps a on a.id = r.app_id and a.deleted_at is null
     where r.state in ('asked', 'made') and r.due_at <= now() and coalesce(r.leased_until < now(), true)
       ${app ? sql`and r.app_id = ${app}` : sql``}
     order by r.due_at`,
};

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
    name: DUE_CODE_REQUESTS.name,
    due: DUE_CODE_REQUESTS.select(),
    take: (limit) => claimDue(db, limit),
    extend: (leased) =>
      extendClaims(
        db,
        leased.map(({ request }) => request),
      ),
    lease: LEASE_S,
    work: ({ ctx, request }) => advanceClaimed(ctx, request, options),
    concurrency: CONCURRENCY,
  };
}
