import { uuidv7 } from "uuidv7";
import type { Context } from "@/lib/context";
import type { ReferrerResponse } from "@/lib/contract/referrer";
import { slugDirectory } from "@/lib/db/schema";
import { env } from "@/lib/env";
import { fail } from "@/lib/errors";
import { callOnce } from "@/lib/idempotency/call";
import { countOnly, type PlatformCount, progressOf } from "./progress";
import { randomSlug } from "./slug";

type Status = ReferrerResponse["status"];

/** What `get_referrer` and `create_referrer` return. */
interface Found {
  verdict: "OK";
  referrer_id: string;
  slug: string;
  status: Status;
  campaign_type: "referral" | "influencer" | null;
  campaign_status: Status | "draft" | null;
  confirmed: number;
  earned: number;
  claimed: number;
  progress: { ios?: PlatformCount; android?: PlatformCount };
}

export interface ReferrerRequest {
  uid: string;
  metadata?: Record<string, unknown> | undefined;
}

/**
 * Section 4.1: the referrer of a user with its progress, made on the first call. One round trip for one that exists,
 * counted in it. Throws FORBIDDEN where a key without `referrer:write` would create one, and RATE_LIMITED.
 */
export async function getOrCreateReferrer(ctx: Context, request: ReferrerRequest): Promise<ReferrerResponse> {
  const found = await callOnce<Found | { verdict: "NOT_FOUND" }>(ctx, "get_referrer", [
    ctx.app.id,
    request.uid,
  ]);
  return present(found.verdict === "OK" ? found : await createReferrer(ctx, request));
}

/**
 * The metacode is reserved first, in a statement of its own: uniqueness over all apps lives in a table that a sharded
 * engine keeps elsewhere. A reservation whose referrer is not made, by a crash or a lost race, is swept later.
 */
async function createReferrer(ctx: Context, request: ReferrerRequest): Promise<Found> {
  const { actor } = ctx;
  if (actor.kind === "api_key" && !actor.scopes.includes("referrer:write")) {
    fail(
      "FORBIDDEN",
      "This API key does not have the scope referrer:write, and no referrer exists for this uid",
    );
  }
  const id = uuidv7();
  const slug = await reserveSlug(ctx, id);
  return ctx.db.call<Found>("create_referrer", [
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

function present(found: Found): ReferrerResponse {
  const platform = found.campaign_type === "influencer" ? countOnly : progressOf;
  return {
    referrer_id: found.referrer_id,
    referral_link: `${env().LANDING_URL}/r/${found.slug}`,
    referrer_slug: found.slug,
    metacode: found.slug,
    status: effectiveStatus(found),
    stats: {
      referrals_count: found.confirmed,
      rewards_earned: found.earned,
      rewards_available: found.earned - found.claimed,
    },
    progress: { ios: platform(found.progress.ios), android: platform(found.progress.android) },
  };
}

/** The referrer's own status or the campaign's, whichever holds back more. */
function effectiveStatus({ status, campaign_status }: Found): Status {
  if (status === "ended" || campaign_status === "ended") return "ended";
  return status === "paused" || campaign_status === "paused" ? "paused" : "active";
}
