import { and, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { AWAITED_STATES } from "@/lib/contract/code-request";
import type { Db } from "@/lib/platform/db/client";
import { codeRequests } from "@/lib/platform/db/schema";
import { LEASE_S } from "@/lib/platform/jobs/queue";
import type { Context } from "@/lib/tenants/context";

/** A request for codes as stored. */
export type CodeRequest = typeof codeRequests.$inferSelect;

type Changes = Partial<{ [Name in keyof CodeRequest]: CodeRequest[Name] | SQL }>;

/** Each step renews the lease, and so does {@link extendClaims} during a long one. */
const LEASE = sql`now() + make_interval(secs => ${LEASE_S})`;

/** Another process holds the lease now, or the request was given up. */
export class LeaseLost extends Error {}

/** A request on which only this process works while its lease lasts. */
export interface ClaimedRequest {
  row: CodeRequest;
  /** Seconds since the order was sent to the store; 0 if none was. */
  sincePosted: number;
  /** Stores a step and renews the lease. Throws {@link LeaseLost}. */
  update(changes: Changes): Promise<void>;
  /** Stores the last step and ends the lease. Throws {@link LeaseLost}. */
  release(changes: Changes): Promise<void>;
}

/** Extends the leases of requests under way. A request that was released, or that another process holds, stays as it is. */
export async function extendClaims(db: Db, claims: ClaimedRequest[]): Promise<void> {
  const own = and(
    inArray(
      codeRequests.appId,
      claims.map(({ row }) => row.appId),
    ),
    inArray(
      codeRequests.lease,
      claims.flatMap(({ row }) => row.lease ?? []),
    ),
  );
  await db.orm
    .update(codeRequests)
    .set({ leasedUntil: LEASE })
    .where(and(own, isNotNull(codeRequests.leasedUntil)));
}

/** Leases an open request; undefined if it has ended or another process holds the lease. */
export async function claimCodeRequest(ctx: Context, id: string): Promise<ClaimedRequest | undefined> {
  const { orm } = ctx.db;
  const byId = and(eq(codeRequests.appId, ctx.app.id), eq(codeRequests.id, id));
  const open = inArray(codeRequests.state, AWAITED_STATES);
  const free = sql`(${codeRequests.leasedUntil} is null or ${codeRequests.leasedUntil} < now())`;
  const lease = uuidv7();
  const [leased] = await orm
    .update(codeRequests)
    .set({ lease, leasedUntil: LEASE, attempts: sql`${codeRequests.attempts} + 1` })
    .where(and(byId, open, free))
    .returning();
  if (!leased) return undefined;
  const [age] = await orm
    .select({ seconds: sql<number>`coalesce(extract(epoch from now() - ${codeRequests.postedAt}), 0)::int` })
    .from(codeRequests)
    .where(byId);
  const write = async (changes: Changes) => {
    const own = and(byId, open, eq(codeRequests.lease, lease));
    const [row] = await orm.update(codeRequests).set(changes).where(own).returning();
    if (!row) throw new LeaseLost();
    request.row = row;
  };
  const request: ClaimedRequest = {
    row: leased,
    sincePosted: age?.seconds ?? 0,
    update: (changes) => write({ ...changes, leasedUntil: LEASE }),
    release: (changes) => write({ ...changes, leasedUntil: null }),
  };
  return request;
}
