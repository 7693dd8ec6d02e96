import { and, count, eq, getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { maskCode } from "@/lib/contract/code-file";
import type { ReplacedCode } from "@/lib/contract/person";
import type { CodeView } from "@/lib/contract/timeline";
import { awaitEarlier } from "@/lib/platform/db/chunks";
import { batches, codeReplacements, codes } from "@/lib/platform/db/schema";
import { COMMIT_S } from "@/lib/platform/jobs/rounds";
import type { Context } from "@/lib/tenants/context";
import { getBatch, type StoredBatch } from "./get-batch";

type CodeRow = typeof codes.$inferSelect;
/** A replaced code, with the one that took its place. */
type Replacement = typeof codeReplacements.$inferSelect & { oldCode: string; newCode: string };

/** The current codes of referrals or rewards, by the id of either, without replaced codes. */
export async function codesByAssignment(
  ctx: Context,
  assignmentIds: readonly string[],
): Promise<Map<string, CodeRow>> {
  if (assignmentIds.length === 0) return new Map();
  const rows = await ctx.db.orm
    .select()
    .from(codes)
    .where(and(eq(codes.appId, ctx.app.id), inArray(codes.assignmentId, [...assignmentIds])));
  return new Map(rows.map((code) => [code.assignmentId ?? "", code]));
}

/** The replaced codes of referrals or rewards, by the id of either; oldest first. */
export async function replacementsByAssignment(
  ctx: Context,
  assignmentIds: readonly string[],
): Promise<Map<string, Replacement[]>> {
  if (assignmentIds.length === 0) return new Map();
  const { appId, assignmentId, oldCodeId, newCodeId, createdAt } = codeReplacements;
  const [old, next] = [alias(codes, "old_code"), alias(codes, "new_code")];
  const rows = await ctx.db.orm
    .select({ ...getTableColumns(codeReplacements), oldCode: old.code, newCode: next.code })
    .from(codeReplacements)
    .innerJoin(old, and(eq(old.appId, appId), eq(old.id, oldCodeId)))
    .innerJoin(next, and(eq(next.appId, appId), eq(next.id, newCodeId)))
    .where(and(eq(appId, ctx.app.id), inArray(assignmentId, [...assignmentIds])))
    .orderBy(createdAt);
  const grouped = new Map<string, Replacement[]>();
  for (const row of rows) grouped.set(row.assignmentId, [...(grouped.get(row.assignmentId) ?? []), row]);
  return grouped;
}

/** The replaced codes of referrals and rewards, masked, newest first. */
export async function replacedCodes(ctx: Context, assignmentIds: readonly string[]): Promise<ReplacedCode[]> {
  const rows = [...(await replacementsByAssignment(ctx, assignmentIds)).values()].flat();
  return rows
    .map(({ oldCodeId: id, oldCode, newCode, reason, createdAt: at }) => {
      return { id, old: maskCode(oldCode), new: maskCode(newCode), reason, at };
    })
    .sort((a, b) => b.at.getTime() - a.at.getTime());
}

/** Codes with their batches, masked: by the id of the code, and current codes also by their assignment. */
export async function codeViews(
  ctx: Context,
  { ids = [], assignments = [] }: { ids?: readonly string[]; assignments?: readonly string[] },
): Promise<Map<string, CodeView>> {
  const rows = await Promise.all([
    ids.length > 0 ? readViews(ctx, inArray(codes.id, [...ids])) : [],
    assignments.length > 0 ? readViews(ctx, inArray(codes.assignmentId, [...assignments])) : [],
  ]);
  return new Map(
    rows.flat().flatMap(([code, view]) => [code.id, code.assignmentId ?? ""].map((id) => [id, view])),
  );
}

async function readViews(ctx: Context, filter: SQL): Promise<[CodeRow, CodeView][]> {
  const rows = await ctx.db.orm
    .select({ code: codes, batch: batches })
    .from(codes)
    .leftJoin(batches, and(eq(batches.appId, codes.appId), eq(batches.id, codes.batchId)))
    .where(and(eq(codes.appId, ctx.app.id), filter));
  return rows.map(({ code, batch }) => [
    code,
    {
      id: code.id,
      platform: code.platform,
      code: maskCode(code.code),
      status: code.status,
      batchId: code.batchId,
      quarantined: batch?.state === "quarantined",
      offer: batch?.offer ?? null,
      origin: batch?.origin ?? null,
      expiresAt: batch?.expiresAt ?? null,
    },
  ]);
}

/**
 * Stores the users of codes that were assigned during an update of the offer: those redeems and claims read its former
 * name, and the users could get a second code of the same store offer.
 */
export async function storeTakers(ctx: Context, batchId: string): Promise<void> {
  await awaitEarlier(ctx.db, COMMIT_S);
  const batch = await getBatch(ctx, batchId);
  // No index leads from a batch to its assigned codes, but all of them are younger than the batch.
  if (batch.offer === null || !(await hasCodesInUse(ctx, batch))) return;
  await ctx.db.orm.execute(sql`
    insert into offer_takers (app_id, platform, offer, uid)
    select distinct app_id, platform, ${batch.offer}, redeemed_by_uid from codes
     where app_id = ${ctx.app.id} and id > ${batchId} and batch_id = ${batchId} and status in ('assigned', 'confirmed')
    on conflict do nothing`);
}

/** Codes of a batch that users had until they were released or replaced. */
export async function countVoided(ctx: Context, batchId: string): Promise<number> {
  const { rows } = await ctx.db.orm.execute<{ codes: number }>(sql`
    select count(*)::int as codes
      from (select code_id as id from undone_steps where app_id = ${ctx.app.id}
            union all select old_code_id from code_replacements where app_id = ${ctx.app.id}) v
      join codes c on c.app_id = ${ctx.app.id} and c.id = v.id and c.batch_id = ${batchId}`);
  return rows[0]?.codes ?? 0;
}

/** Whether codes of a batch are assigned or set aside: counts free codes along their index; all others are in use or void. */
export async function hasCodesInUse(ctx: Context, { id, size }: StoredBatch): Promise<boolean> {
  const [free] = await ctx.db.orm
    .select({ codes: count() })
    .from(codes)
    .where(and(eq(codes.appId, ctx.app.id), eq(codes.batchId, id), eq(codes.status, "available")));
  return free?.codes !== size - (await countVoided(ctx, id));
}
