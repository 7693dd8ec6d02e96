import { and, count, eq, gt, inArray, sql } from "drizzle-orm";
import type { Db } from "@/lib/platform/db/client";
import { apps, batches, codes, pools, referrals } from "@/lib/platform/db/schema";
import { takeBack } from "@/lib/program/line/line";
import { recordAudit } from "@/lib/tenants/audit/record";

/** A pool with free codes that may have been assigned in the time that the restored database no longer knows. */
export interface DoubtfulPool {
  workspaceId: string;
  appId: string;
  app: string;
  poolId: string;
  pool: string;
  batchIds: string[];
  free: number;
  /** Referrals of the app after the moment, whose codes may have been assigned before. */
  since: number;
}

/** Codes that one statement voids: some tens of milliseconds. */
const CHUNK = 5_000;

const isFree = (appId: string, batchId: string) =>
  and(eq(codes.appId, appId), eq(codes.batchId, batchId), eq(codes.status, "available"));

/**
 * The pools of all apps, or of one, whose free codes may have been assigned since. Every free code of a batch that existed
 * then is doubtful, because codes are assigned in random order; a custom code is shared by its users and never is.
 */
export async function findDoubtfulPools(db: Db, since: Date, appId?: string): Promise<DoubtfulPool[]> {
  const { rows } = await db.orm.execute<Omit<DoubtfulPool, "free" | "since">>(sql`
    select a.workspace_id as "workspaceId", a.id as "appId", a.name as app, p.id as "poolId", p.name as pool,
           array_agg(b.id::text order by b.id) as "batchIds"
      from ${batches} b
      join ${pools} p on p.app_id = b.app_id and p.id = b.pool_id
      join ${apps} a on a.id = b.app_id
     where b.kind = 'one_time' and b.state in ('ready', 'drained', 'quarantined') and b.created_at <= ${since}
       and (b.expires_at is null or b.expires_at > ${since}) ${appId ? sql`and b.app_id = ${appId}` : sql``}
     group by a.workspace_id, a.id, a.name, p.id, p.name order by a.id, p.id`);
  const found = await Promise.all(
    rows.map(async (pool) => ({
      ...pool,
      free: await countFree(db, pool),
      since: await countReferrals(db, pool.appId, since),
    })),
  );
  return found.filter(({ free }) => free > 0);
}

async function countFree(
  db: Db,
  { appId, batchIds }: Pick<DoubtfulPool, "appId" | "batchIds">,
): Promise<number> {
  let free = 0;
  for (const batchId of batchIds) {
    const [row] = await db.orm
      .select({ codes: count() })
      .from(codes)
      .where(
        and(
          ...[eq(codes.appId, appId), eq(codes.batchId, batchId)],
          // A code that was set aside may have been fetched.
          inArray(codes.status, ["available", "reserved"]),
        ),
      );
    free += row?.codes ?? 0;
  }
  return free;
}

async function countReferrals(db: Db, appId: string, since: Date): Promise<number> {
  const [row] = await db.orm
    .select({ referrals: count() })
    .from(referrals)
    .where(and(eq(referrals.appId, appId), gt(referrals.createdAt, since)));
  return row?.referrals ?? 0;
}

/**
 * Voids the free codes of a pool in chunks, and returns their number. The entry in the audit log comes first, so an
 * interrupted run is known; a second run voids what is left.
 */
export async function voidFreeCodes(db: Db, pool: DoubtfulPool, since: Date): Promise<number> {
  const where = {
    workspace: { id: pool.workspaceId },
    app: { id: pool.appId },
    actor: { kind: "system" },
  } as const;
  await recordAudit(db, where, {
    action: "pool.voided",
    subject: "pool",
    subjectId: pool.poolId,
    subjectName: pool.pool,
    before: { free: pool.free },
    after: { free: 0, since: since.toISOString() },
  });
  let voided = 0;
  for (const batchId of pool.batchIds) {
    await takeBack(db, pool.appId, batchId);
    for (let chunk = CHUNK; chunk === CHUNK; voided += chunk)
      chunk = await voidChunk(db, pool.appId, batchId);
  }
  return voided;
}

/** Voids codes of a batch, whose size shrinks with them: the stock is its size less the codes assigned. */
async function voidChunk(db: Db, appId: string, batchId: string): Promise<number> {
  return db.transaction(async ({ orm }) => {
    const free = orm
      .select({ id: codes.id })
      .from(codes)
      .where(isFree(appId, batchId))
      .limit(CHUNK)
      .for("update");
    const voided = await orm
      .update(codes)
      .set({ status: "void" })
      .where(and(eq(codes.appId, appId), inArray(codes.id, free)));
    const rows = voided.rowCount ?? 0;
    await orm
      .update(batches)
      .set({ size: sql`${batches.size} - ${rows}` })
      .where(and(eq(batches.appId, appId), eq(batches.id, batchId)));
    return rows;
  });
}
