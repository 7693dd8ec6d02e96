import { and, count, eq, exists, isNotNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "@/lib/platform/db/client";
import { batches, codes } from "@/lib/platform/db/schema";
import { sumOfAll } from "@/lib/platform/jobs/until-stored";

/** Far below the five seconds that a statement may take. */
const CHUNK = 5_000;

const freeCodes = (appId: string, batchId: string) =>
  and(eq(codes.appId, appId), eq(codes.batchId, batchId), eq(codes.status, "available"));

/**
 * Deletes a batch's free codes in chunks, so that their texts can be imported again, or voids them; returns how many. Waits
 * for codes that are being assigned; these stay. `finish` is part of the last deletion: until then `sweepImports` finds a
 * half-removed batch by its free codes.
 */
async function removeFreeCodes(
  db: Db,
  appId: string,
  batchId: string,
  finish: (db: Db) => Promise<unknown>,
  voided = false,
): Promise<number> {
  const free = freeCodes(appId, batchId);
  const { removed, left } = await db.transaction(async (tx) => {
    const chunk = tx.orm.select({ id: codes.id }).from(codes).where(free).limit(CHUNK).for("update");
    // An array is read once; with `in (...)` the planner may run the locking select repeatedly.
    const chosen = sql`${codes.id} = any(array(${chunk}))`;
    const removing = voided ? tx.orm.update(codes).set({ status: "void" }) : tx.orm.delete(codes);
    const { rowCount } = await removing.where(and(eq(codes.appId, appId), chosen));
    const [next] = await tx.orm.select({ id: codes.id }).from(codes).where(free).limit(1);
    if (!next) await finish(tx);
    return { removed: rowCount ?? 0, left: next !== undefined };
  });
  return left ? removed + (await removeFreeCodes(db, appId, batchId, finish, voided)) : removed;
}

/**
 * Deletes the free codes of an undone batch and stores how many stay with end users. The free uses of an assigned custom
 * code become void, so that its text stays taken.
 */
export async function finishUndo(
  db: Db,
  appId: string,
  batchId: string,
): Promise<{ deleted: number; assigned: number }> {
  const inBatch = and(eq(codes.appId, appId), eq(codes.batchId, batchId));
  const byId = and(eq(batches.appId, appId), eq(batches.id, batchId));
  let size = 0;
  const storeSize = async ({ orm }: Db) => {
    // Without void codes that no one ever had: uses of a custom code, and codes voided after a restored backup.
    const assigned = or(ne(codes.status, "void"), isNotNull(codes.assignedAt));
    const [left] = await orm.select({ codes: count() }).from(codes).where(and(inBatch, assigned));
    size = left?.codes ?? 0;
    await orm.update(batches).set({ size }).where(byId);
  };
  // Locked first: a redeem may be taking the first use.
  const removeUses = async (scope: Db) => {
    const free = scope.orm.select({ id: codes.id }).from(codes).where(freeCodes(appId, batchId));
    const { length } = await free.for("update");
    const stays = (await scope.orm.$count(codes, inBatch)) > length;
    const removed = await removeFreeCodes(scope, appId, batchId, storeSize, stays);
    return stays ? 0 : removed;
  };
  const custom = await db.orm.$count(batches, and(byId, eq(batches.kind, "custom")));
  const work = custom ? db.transaction(removeUses) : removeFreeCodes(db, appId, batchId, storeSize);
  return { deleted: await work, assigned: size };
}

/** An import without a heartbeat for this long is dead. */
const isSilent = lt(batches.createdAt, sql`now() - interval '2 minutes'`);

/**
 * Ends an unfinished import and deletes its codes and its batch. The full row lock waits for chunks that still run
 * on the server; later chunks find the batch closed. `silent`: only if the import has no recent heartbeat.
 */
export async function abandonImport(
  db: Db,
  appId: string,
  batchId: string,
  { silent = false } = {},
): Promise<void> {
  const byId = and(eq(batches.appId, appId), eq(batches.id, batchId));
  const closed = await db.transaction(async ({ orm }) => {
    const open = and(byId, eq(batches.state, "importing"));
    const [locked] = await orm
      .select({ id: batches.id })
      .from(batches)
      .where(and(open, silent ? isSilent : undefined))
      .for("update");
    if (!locked) return false;
    // Clears the size that the heartbeat stored, because the codes are deleted. No sweep would find a batch without codes.
    const [code] = await orm.select({ id: codes.id }).from(codes).where(freeCodes(appId, batchId)).limit(1);
    if (code) await orm.update(batches).set({ state: "undone", size: 0 }).where(open);
    else await orm.delete(batches).where(open);
    return code !== undefined;
  });
  if (closed) await removeClosed(db, appId, batchId);
}

async function removeClosed(db: Db, appId: string, batchId: string): Promise<void> {
  const closed = and(eq(batches.appId, appId), eq(batches.id, batchId), eq(batches.state, "undone"));
  await removeFreeCodes(db, appId, batchId, ({ orm }) => orm.delete(batches).where(closed));
}

/**
 * Removes killed imports of every app, and finishes interrupted undos. Safe beside running imports, which write a
 * heartbeat every ten seconds. Returns how many batches it handled.
 */
export async function sweepImports(db: Db): Promise<number> {
  const { appId, id, state, size } = batches;
  const free = db.orm
    .select({ id: codes.id })
    .from(codes)
    .where(and(eq(codes.appId, appId), eq(codes.batchId, id), eq(codes.status, "available")));
  const find = (own: "importing" | "undone", rest: SQL) =>
    db.orm
      .select({ appId, id, state, size })
      .from(batches)
      .where(and(eq(state, own), rest));
  const unfinished = [...(await find("importing", isSilent)), ...(await find("undone", exists(free)))];
  return sumOfAll(unfinished, async (batch) => {
    // An import whose removal was interrupted has size 0; an undone batch has the size of its codes.
    const finish = batch.size === 0 ? removeClosed : finishUndo;
    if (batch.state === "undone") await finish(db, batch.appId, batch.id);
    else await abandonImport(db, batch.appId, batch.id, { silent: true });
    return 1;
  });
}
