import { and, eq, inArray, lte, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import type { z } from "zod";
import { codeRequestInput, OPEN_STATES, STORE_LIMIT } from "@/lib/contract/code-request";
import { formatCount, formatNumber } from "@/lib/contract/format";
import { keysOf } from "@/lib/contract/pick";
import { databaseNow } from "@/lib/platform/db/chunks";
import type { Db } from "@/lib/platform/db/client";
import { apps, codeRequests } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { parseInput } from "@/lib/platform/parse-input";
import { findStoreKey } from "@/lib/program/app-store-connect/connect";
import { lockPool } from "@/lib/program/pools/get";
import { expiryFault } from "@/lib/program/stores/expiry";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { getOfferForPool } from "./offers";
import { requestedThisQuarter } from "./usage";

type NewCodeRequest = Pick<
  typeof codeRequests.$inferInsert,
  "poolId" | "origin" | "offerType" | "offerId" | "offerName" | "amount" | "expiresOn"
>;

/**
 * Inserts a request, which a worker takes within seconds. False if the id exists or another refill of the pool is
 * under way.
 */
export async function insertCodeRequest(
  ctx: Context,
  request: NewCodeRequest,
  id = uuidv7(),
): Promise<boolean> {
  return ctx.db.transaction(async (db) => {
    await lockPool({ ...ctx, db }, request.poolId);
    const inserted = await db.orm
      .insert(codeRequests)
      .values({ ...request, appId: ctx.app.id, id, batchId: uuidv7() })
      .onConflictDoNothing()
      .returning({ id: codeRequests.id });
    if (inserted.length === 0) return false;
    const { poolId, origin, offerName, amount, expiresOn } = request;
    await recordAudit(db, ctx, {
      action: "code_request.asked",
      subject: "code_request",
      subjectId: id,
      subjectName: offerName,
      after: { poolId, origin, amount, expiresOn },
    });
    return true;
  });
}

/**
 * Requests one-time codes of an offer from the store, for a pool. They arrive in the background. Throws
 * VALIDATION_ERROR, NOT_FOUND, CONFLICT without a key, beyond the store's limit per quarter, or for a form that was changed
 * after it was sent.
 */
export async function createCodeRequest(
  ctx: Context,
  input: z.input<typeof codeRequestInput>,
): Promise<void> {
  const { requestId, poolId, offer, amount, expiresOn } = parseInput(codeRequestInput, input);
  const fault = expiryFault(expiresOn, new Date(databaseNow()));
  if (fault) fail("VALIDATION_ERROR", fault, { field: "expiresOn" });
  const { type, id, name } = await getOfferForPool(ctx, offer, poolId);
  if (!(await findStoreKey(ctx))) fail("CONFLICT", "Add a key for App Store Connect first");
  const left = STORE_LIMIT - (await requestedThisQuarter(ctx));
  if (amount > left) {
    const limit = `Apple creates at most ${formatNumber(STORE_LIMIT)} codes per app and quarter`;
    fail("CONFLICT", `${limit}; ${formatNumber(left)} are left`);
  }
  const request = { poolId, offerType: type, offerId: id, amount, expiresOn };
  const values = { ...request, offerName: name, origin: "person" } as const;
  if ((await insertCodeRequest(ctx, values, requestId)) || !requestId) return;
  const byId = and(eq(codeRequests.appId, ctx.app.id), eq(codeRequests.id, requestId));
  const [sent] = await ctx.db.orm.select().from(codeRequests).where(byId);
  if (!sent || keysOf(request).every((key) => sent[key] === request[key])) return;
  const requested = `${formatCount(sent.amount, "code")} of “${sent.offerName}”`;
  fail("CONFLICT", `This form has already requested ${requested}. Reload the page to request more`);
}

const OPEN = inArray(codeRequests.state, OPEN_STATES);

/** Open requests of all apps, or of one, that existed at the time to which the database was restored. */
export function findRestoredRequests(db: Db, since: Date, appId?: string) {
  return db.orm
    .select({ app: apps, request: codeRequests })
    .from(codeRequests)
    .innerJoin(apps, eq(apps.id, codeRequests.appId))
    .where(and(OPEN, lte(codeRequests.createdAt, since), appId ? eq(codeRequests.appId, appId) : undefined))
    .orderBy(codeRequests.appId, codeRequests.id);
}

/**
 * Gives up a request whose codes have not arrived. Codes that the store has created stay there and can be imported
 * as a file. `trouble` is the reason to show. Throws NOT_FOUND, CONFLICT if the request has ended.
 */
export async function giveUpCodeRequest(ctx: Context, requestId: string, trouble?: string): Promise<void> {
  const byId = and(eq(codeRequests.appId, ctx.app.id), eq(codeRequests.id, requestId));
  await ctx.db.transaction(async (db) => {
    const [before] = await db.orm.select().from(codeRequests).where(byId).for("update");
    if (!before) return fail("NOT_FOUND", "There is no such request");
    const updated = await db.orm
      .update(codeRequests)
      .set({ state: "given_up", endedAt: sql`now()`, leasedUntil: null, trouble: trouble ?? before.trouble })
      .where(and(byId, OPEN))
      .returning({ id: codeRequests.id });
    if (updated.length === 0) fail("CONFLICT", "The request has already ended");
    const { offerName, state, amount, storeId } = before;
    await recordAudit(db, ctx, {
      action: "code_request.given_up",
      subject: "code_request",
      subjectId: requestId,
      subjectName: offerName,
      before: { state },
      after: { state: "given_up", amount, storeId },
    });
  });
}
