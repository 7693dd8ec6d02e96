import { uuidv7 } from "uuidv7";
import type { Context } from "@/lib/context";
import type { ReferrerResponse } from "@/lib/contract/referrer";
import { slugDirectory } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { callOnce } from "@/lib/idempotency/call";
import { type FoundReferrer, toReferrerResponse } from "./present";
import { randomSlug } from "./slug";

interface ReferrerRequest {
  uid: string;
  metadata?: Record<string, unknown> | undefined;
}

/**
 * Section 4.1: the referrer of a user with its progress, made on the first call. One round trip for one that exists,
 * counted in it. Throws FORBIDDEN where a key without `referrer:write` would create one, and RATE_LIMITED.
 */
export async function getOrCreateReferrer(ctx: Context, request: ReferrerRequest): Promise<ReferrerResponse> {
  const found = await callOnce<FoundReferrer | { verdict: "NOT_FOUND" }>(ctx, "get_referrer", [
    ctx.app.id,
    request.uid,
  ]);
  return toReferrerResponse(ctx.app, found.verdict === "OK" ? found : await createReferrer(ctx, request));
}

/**
 * The metacode is reserved first, in a statement of its own: uniqueness over all apps lives in a table that a sharded
 * engine keeps elsewhere. A reservation whose referrer is not made, by a crash or a lost race, is swept later.
 */
async function createReferrer(ctx: Context, request: ReferrerRequest): Promise<FoundReferrer> {
  const { actor } = ctx;
  if (actor.kind === "api_key" && !actor.scopes.includes("referrer:write")) {
    fail(
      "FORBIDDEN",
      "This API key does not have the scope referrer:write, and no referrer exists for this uid",
    );
  }
  const id = uuidv7();
  const slug = await reserveSlug(ctx, id);
  return ctx.db.call<FoundReferrer>("create_referrer", [
    ctx.app.id,
    id,
    request.uid,
    slug,
    request.metadata === undefined ? null : JSON.stringify(request.metadata),
    null,
  ]);
}

async function reserveSlug(ctx: Context, referrerId: string): Promise<string> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const slug = randomSlug();
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
