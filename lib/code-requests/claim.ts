import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import type { Context } from "@/lib/context";
import { codeRequests } from "@/lib/db/schema";

export type CodeRequest = typeof codeRequests.$inferSelect;

type Change = Partial<{ [Name in keyof CodeRequest]: CodeRequest[Name] | SQL }>;

/** Longer than any one step takes: a request to the store ends after 30 seconds, and each step renews it. */
const LEASE = sql`now() + interval '3 minutes'`;

/** Somebody else works on the request by now, or it has been given up. */
export class LeaseLost extends Error {}

/** A request that is this process's alone for a while. */
export interface Job {
  row: CodeRequest;
  /** Seconds since the store was asked; 0 where it was not. */
  sincePosted: number;
  /** Writes a step down and keeps the request; throws {@link LeaseLost} where it is no longer ours. */
  save(change: Change): Promise<void>;
  /** Writes the last step down and lets go. */
  leave(change: Change): Promise<void>;
}

/** Takes an open request that nobody works on; nothing where there is none. */
export async function claimRequest(ctx: Context, id: string): Promise<Job | undefined> {
  const { orm } = ctx.db;
  const one = and(eq(codeRequests.appId, ctx.app.id), eq(codeRequests.id, id));
  const open = inArray(codeRequests.state, ["asked", "made"]);
  const free = sql`(${codeRequests.leasedUntil} is null or ${codeRequests.leasedUntil} < now())`;
  const lease = uuidv7();
  const [taken] = await orm
    .update(codeRequests)
    .set({ lease, leasedUntil: LEASE, attempts: sql`${codeRequests.attempts} + 1` })
    .where(and(one, open, free))
    .returning();
  if (!taken) return undefined;
  const [age] = await orm
    .select({ seconds: sql<number>`coalesce(extract(epoch from now() - ${codeRequests.postedAt}), 0)::int` })
    .from(codeRequests)
    .where(one);
  const write = async (change: Change) => {
    const ours = and(one, open, eq(codeRequests.lease, lease));
    const [row] = await orm.update(codeRequests).set(change).where(ours).returning();
    if (!row) throw new LeaseLost();
    job.row = row;
  };
  const job: Job = {
    row: taken,
    sincePosted: age?.seconds ?? 0,
    save: (change) => write({ ...change, leasedUntil: LEASE }),
    leave: (change) => write({ ...change, leasedUntil: null }),
  };
  return job;
}
