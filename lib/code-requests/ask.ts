import { and, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import type { z } from "zod";
import { findStoreKey } from "@/lib/app-store-connect/open";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { codeRequestInput, STORE_LIMIT } from "@/lib/contract/code-request";
import { codeRequests, pools } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { parseInput } from "@/lib/parse-input";
import { expiryFault } from "@/lib/stores/expiry-window";
import { offerForPool } from "./find-offer";
import { askedThisQuarter } from "./usage";

type NewRequest = Pick<
  typeof codeRequests.$inferInsert,
  "poolId" | "origin" | "offerType" | "offerId" | "offerName" | "amount" | "expiresOn"
>;

/** Writes a request down, to be worked on within seconds; nothing where its id is known or another refill runs. */
export async function insertRequest(ctx: Context, request: NewRequest, id = uuidv7()): Promise<boolean> {
  return ctx.db.transaction(async (db) => {
    // Held against a deletion of the pool at this moment.
    const pool = and(eq(pools.appId, ctx.app.id), eq(pools.id, request.poolId));
    const held = await db.orm.select({ id: pools.id }).from(pools).where(pool).for("key share");
    if (held.length === 0) fail("NOT_FOUND", "There is no such pool");
    const made = await db.orm
      .insert(codeRequests)
      .values({ ...request, appId: ctx.app.id, id, batchId: uuidv7() })
      .onConflictDoNothing()
      .returning({ id: codeRequests.id });
    if (made.length === 0) return false;
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
 * Asks the store for one-time codes of an offer, for a pool. They come in the background. Throws VALIDATION_ERROR,
 * NOT_FOUND, CONFLICT without a key or beyond the store's limit for a quarter.
 */
export async function askForCodes(ctx: Context, input: z.input<typeof codeRequestInput>): Promise<void> {
  const { requestId, poolId, offer, amount, expiresOn } = parseInput(codeRequestInput, input);
  const fault = expiryFault(expiresOn, new Date());
  if (fault) fail("VALIDATION_ERROR", fault, { field: "expiresOn" });
  const found = await offerForPool(ctx, offer, poolId);
  if (!(await findStoreKey(ctx))) fail("CONFLICT", "Store a key of App Store Connect first");
  const left = STORE_LIMIT - (await askedThisQuarter(ctx));
  if (amount > left) {
    fail(
      "CONFLICT",
      `Apple makes 1,000,000 codes for an app in a quarter; ${left.toLocaleString("en")} are left`,
    );
  }
  await insertRequest(
    ctx,
    {
      ...{ poolId, origin: "person", amount, expiresOn },
      ...{ offerType: found.type, offerId: found.id, offerName: found.name },
    },
    requestId,
  );
}
