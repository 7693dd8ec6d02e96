import { and, between, eq, gt, gte, inArray, isNotNull, sql } from "drizzle-orm";
import type { Db } from "@/lib/platform/db/client";
import { apps, batches, codes, pools, refereesInLine, referrals } from "@/lib/platform/db/schema";
import { setAside, takeBack } from "@/lib/program/line/line";
import { poolSubject } from "@/lib/program/pools/get";
import { recordAudit } from "@/lib/tenants/audit/record";

/** A pool with free codes that were perhaps assigned in the time that the restored database no longer knows. */
export interface DoubtfulPool {
  workspaceId: string;
  appId: string;
  app: string;
  poolId: string;
  pool: string;
  batchIds: string[];
  /** Codes of these batches, in every state but void. */
  size: number;
  free: number;
  /** Referrals of the app since that time, whose codes may have been assigned before. */
  since: number;
}

/** Codes that one statement voids, and codes that one statement counts: a tenth to a fifth of a second each. */
const CHUNK = 5_000;
const COUNTED = 100_000;

/** A code's slot is a random number below this one. */
const SLOTS = 2_147_483_647;

/**
 * The pools of all apps, or of one, whose free codes may have been assigned since. Every free code of a batch that existed
 * then is doubtful, because codes are assigned in random order; a custom code is shared by its users and never is. Throws for an
 * app that does not exist: no pools would mean that nothing is doubtful.
 */
export async function findDoubtfulPools(db: Db, since: Date, appId?: string): Promise<DoubtfulPool[]> {
  const exists = !appId || (await db.orm.$count(apps, eq(apps.id, appId))) > 0;
  if (!exists) throw new Error(`There is no app ${appId}`);
  const { rows } = await db.orm.execute<Omit<DoubtfulPool, "free" | "since">>(sql`
    select a.workspace_id as "workspaceId", a.id as "appId", a.name as app, p.id as "poolId", p.name as pool,
           array_agg(b.id::text order by b.id) as "batchIds", sum(b.size)::float8 as size
      from ${batches} b
      join ${pools} p on p.app_id = b.app_id and p.id = b.pool_id
      join ${apps} a on a.id = b.app_id
     where b.kind = 'one_time' and b.state in ('ready', 'drained', 'quarantined') and b.created_at <= ${since}
       and (b.expires_at is null or b.expires_at > ${since}) ${appId ? sql`and b.app_id = ${appId}` : sql``}
     group by a.workspace_id, a.id, a.name, p.id, p.name order by a.id, p.id`);
  const found: DoubtfulPool[] = [];
  // One at a time: a statement that waits for one of the few connections gives up after two seconds.
  for (const pool of rows) {
    const free = await countFree(db, pool);
    if (free > 0) found.push({ ...pool, free, since: await countReferrals(db, pool.appId, since) });
  }
  return found;
}

/** Free codes, along `codes_free`, and those that are set aside, by their places in line: these may have been fetched. */
async function countFree(db: Db, { appId, batchIds, size }: Omit<DoubtfulPool, "free" | "since">) {
  const places = db.orm
    .select({ id: refereesInLine.codeId })
    .from(refereesInLine)
    .where(and(eq(refereesInLine.appId, appId), isNotNull(refereesInLine.codeId)));
  const isOfBatches = and(eq(codes.appId, appId), inArray(codes.batchId, batchIds));
  const isSetAside = and(eq(codes.status, "reserved"), sql`${codes.id} = any(array(${places}))`);
  let free = await db.orm.$count(codes, and(isOfBatches, isSetAside));
  const width = Math.ceil(SLOTS / Math.ceil((size + 1) / COUNTED));
  for (let from = 0; from < SLOTS; from += width) {
    const isInRange = between(codes.slot, from, Math.min(from + width, SLOTS) - 1);
    free += await db.orm.$count(codes, and(isOfBatches, eq(codes.status, "available"), isInRange));
  }
  return free;
}

const countReferrals = (db: Db, appId: string, since: Date) =>
  db.orm.$count(referrals, and(eq(referrals.appId, appId), gt(referrals.createdAt, since)));

/**
 * Voids the free codes of a pool in chunks, and returns their number; remaining codes are set aside for referees who lost
 * theirs. The audit entry comes first, so an interrupted run is on record; a second run voids the rest.
 */
export async function voidFreeCodes(db: Db, pool: DoubtfulPool, since: Date): Promise<number> {
  const where = {
    workspace: { id: pool.workspaceId },
    app: { id: pool.appId },
    actor: { kind: "system" },
  } as const;
  await recordAudit(db, where, {
    action: "pool.voided",
    ...poolSubject({ id: pool.poolId, name: pool.pool }),
    before: { free: pool.free },
    after: { free: 0, since: since.toISOString() },
  });
  let voided = 0;
  for (const batchId of pool.batchIds) {
    await takeBack(db, pool.appId, batchId);
    for (let slot: number | undefined = 0; slot !== undefined; ) {
      const slots = await voidChunk(db, pool.appId, batchId, slot);
      voided += slots.length;
      slot = slots.length < CHUNK ? undefined : Math.max(...slots);
    }
  }
  await setAside({ app: where.app, db }, pool.poolId);
  return voided;
}

/**
 * Voids codes of a batch from a slot on, and returns their slots. The batch's size shrinks with them: the stock is the size less
 * the codes assigned.
 */
async function voidChunk(db: Db, appId: string, batchId: string, from: number): Promise<number[]> {
  const isOfBatch = and(eq(codes.appId, appId), eq(codes.batchId, batchId));
  return db.transaction(async ({ orm }) => {
    const free = orm
      .select({ id: codes.id })
      .from(codes)
      .where(and(isOfBatch, eq(codes.status, "available"), gte(codes.slot, from)))
      .orderBy(codes.slot)
      .limit(CHUNK)
      .for("update");
    const voided = await orm
      .update(codes)
      .set({ status: "void" })
      .where(and(eq(codes.appId, appId), sql`${codes.id} = any(array(${free}))`))
      .returning({ slot: codes.slot });
    await orm
      .update(batches)
      .set({ size: sql`${batches.size} - ${voided.length}` })
      .where(and(eq(batches.appId, appId), eq(batches.id, batchId)));
    return voided.map(({ slot }) => slot);
  });
}
