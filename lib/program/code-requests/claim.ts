import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import type { Context } from "@/lib/platform/context";
import { codeRequests } from "@/lib/platform/db/schema";

/** A request for codes as stored. */
export type CodeRequest = typeof codeRequests.$inferSelect;

type Changes = Partial<{ [Name in keyof CodeRequest]: CodeRequest[Name] | SQL }>;

/** Longer than any step: a request to the store ends after 30 seconds, and each step renews the lease. */
const LEASE = sql`now() + interval '3 minutes'`;

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

/** Leases an open request; undefined if it has ended or another process holds the lease. */
export async function claimCodeRequest(ctx: Context, id: string): Promise<ClaimedRequest | undefined> {
  const { orm } = ctx.db;
  const byId = and(eq(codeRequests.appId, ctx.app.id), eq(codeRequests.id, id));
  const open = inArray(codeRequests.state, ["asked", "made"]);
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
