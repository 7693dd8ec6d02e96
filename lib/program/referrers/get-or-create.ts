import { uuidv7 } from "uuidv7";
import type { ReferrerResponse } from "@/lib/contract/referrer";
import { jsonb, sqlFunction } from "@/lib/platform/db/calls";
import { slugDirectory } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { pseudonymIn } from "@/lib/program/end-users/pseudonym";
import { takeAddressReferrer } from "@/lib/tenants/api-keys/address-cap";
import type { Context } from "@/lib/tenants/context";
import { callOnce, QUOTA_PARAMETERS } from "@/lib/tenants/quota/call";
import { randomMetacode } from "./metacode";
import { type StoredReferrer, toReferrerResponse } from "./response";

export const GET_REFERRER = sqlFunction("get_referrer", {
  app: "uuid",
  uid: "text",
  ...QUOTA_PARAMETERS,
}).returns<StoredReferrer | { verdict: "NOT_FOUND" }>();

const CREATE_REFERRER = sqlFunction("create_referrer", {
  app: "uuid",
  id: "uuid",
  uid: "text",
  slug: "text",
  metadata: jsonb<Record<string, unknown> | null>(),
  campaign: "uuid?",
  pseudonym: "text?",
}).returns<StoredReferrer>();

interface ReferrerRequest {
  uid: string;
  metadata?: Record<string, unknown> | undefined;
}

/**
 * Section 4.1: the referrer of a user with its progress, created on the first call. Reading an existing one and counting
 * the request is one round trip. Throws RATE_LIMITED, and FORBIDDEN if a key without `referrer:write` would create one.
 */
export async function getOrCreateReferrer(ctx: Context, request: ReferrerRequest): Promise<ReferrerResponse> {
  const found = await callOnce(ctx, GET_REFERRER, { app: ctx.app.id, uid: request.uid });
  return toReferrerResponse(ctx.app, found.verdict === "OK" ? found : await createReferrer(ctx, request));
}

/** Creates the referrer where the caller may, or finds the one that a parallel call created. */
async function createReferrer(ctx: Context, request: ReferrerRequest): Promise<StoredReferrer> {
  const { actor } = ctx;
  if (actor.kind === "api_key" && !actor.scopes.includes("referrer:write")) {
    fail(
      "FORBIDDEN",
      "This API key does not have the scope referrer:write, and no referrer exists for this uid",
    );
  }
  const uncount = await takeAddressReferrer(ctx);
  const id = uuidv7();
  try {
    const referrer = await storeReferrer(ctx, id, request);
    if (referrer.referrer_id !== id) await uncount();
    return referrer;
  } catch (error) {
    // The app will try again, and an outage must not use up the address's limit for the day.
    await uncount();
    throw error;
  }
}

/**
 * The metacode is reserved first, in its own statement: the table that makes it unique over all apps lies on
 * other shards. A crash or a lost race leaves a reservation without a referrer, which a sweep deletes.
 */
async function storeReferrer(ctx: Context, id: string, request: ReferrerRequest): Promise<StoredReferrer> {
  const slug = await reserveSlug(ctx, id);
  return ctx.db.call(CREATE_REFERRER, {
    app: ctx.app.id,
    id,
    uid: request.uid,
    slug,
    metadata: request.metadata ?? null,
    campaign: null,
    pseudonym: pseudonymIn(ctx.app.id, request.uid),
  });
}

async function reserveSlug(ctx: Context, referrerId: string): Promise<string> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const slug = randomMetacode();
    const reserved = await ctx.db.orm
      .insert(slugDirectory)
      .values({ slug, appId: ctx.app.id, referrerId })
      .onConflictDoNothing()
      .returning({ slug: slugDirectory.slug });
    if (reserved.length > 0) return slug;
  }
  return fail("SERVICE_UNAVAILABLE", undefined, {
    cause: new Error("five random metacodes were taken"),
    retryAfter: 1,
  });
}
