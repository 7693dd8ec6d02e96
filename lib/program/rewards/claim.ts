import type { ClaimedReward, ClaimResponse } from "@/lib/contract/claim";
import type { Platform } from "@/lib/contract/fields";
import type { LandingLanguage } from "@/lib/contract/landing-languages";
import { sqlFunction } from "@/lib/platform/db/calls";
import { fail } from "@/lib/platform/errors";
import type { Idempotency } from "@/lib/platform/idempotency/key";
import { pseudonymIn } from "@/lib/program/end-users/pseudonym";
import { redemptionOf } from "@/lib/program/stores/redemption";
import { builtInText, ENGLISH, type OwnApiTexts, textsIn } from "@/lib/program/texts/api-texts";
import type { Context } from "@/lib/tenants/context";
import { callOnce, QUOTA_PARAMETERS } from "@/lib/tenants/quota/call";

interface Claimed {
  reward_id: string;
  platform: Platform;
  reward_number: number;
  code: string;
  kind: "one_time" | "custom";
  instructions: string | null;
}

interface Stores {
  /** The app's name at the time of the claim; absent in results that an earlier version stored. */
  app_name?: string;
  apple_app_id: string | null;
  android_package: string | null;
  /** Absent for English without texts of the owner. */
  texts?: OwnApiTexts | null;
}

/** The result of `claim_rewards`. */
export type ClaimResult = { replayed?: true } & (
  | ({ verdict: "OK"; claimed: Claimed[]; waiting: number } & Stores)
  | ({
      verdict: "NO_REWARDS_AVAILABLE" | "NO_CODES_AVAILABLE";
      /** Seconds until codes are expected; null where no reward waits. */
      retry_after: number | null;
      recent_claims: Claimed[] | null;
    } & Stores)
  | { verdict: "CONFLICT" | "NOT_FOUND" }
);

const CLAIM_REWARDS = sqlFunction("claim_rewards", {
  app: "uuid",
  uid: "text",
  platform: "text?",
  key: "text?",
  hash: "bytea?",
  ...QUOTA_PARAMETERS,
  texts: "text?",
  pseudonym: "text?",
}).returns<ClaimResult>();

interface ClaimRequest {
  uid: string;
  /** The platform of the referrer's phone, where the app names it. */
  platform?: Platform | undefined;
  /** The language that the caller named. */
  language?: LandingLanguage | undefined;
  idempotency?: Idempotency | undefined;
}

/**
 * Section 4.2: claims the rewards for which codes are available, 500 at most; the rest stay available. Throws NOT_FOUND,
 * NO_REWARDS_AVAILABLE, NO_CODES_AVAILABLE, CONFLICT, RATE_LIMITED.
 */
export async function claimRewards(
  ctx: Context,
  request: ClaimRequest,
): Promise<{ body: ClaimResponse; replayed: boolean; language: LandingLanguage }> {
  const { idempotency } = request;
  const texts = await textsIn(ctx, request.language);
  const result = await callOnce(ctx, CLAIM_REWARDS, {
    app: ctx.app.id,
    uid: request.uid,
    platform: request.platform ?? null,
    key: idempotency?.key ?? null,
    hash: idempotency?.hash ?? null,
    texts: texts && JSON.stringify(texts),
    pseudonym: pseudonymIn(ctx.app.id, request.uid),
  });
  const body = claimAnswer(result, ctx.app.name);
  const { language } = ("texts" in result && result.texts) || ENGLISH;
  return { body, replayed: result.replayed ?? false, language };
}

/** Texts of small counts by language and counts: a plural takes 12 us to format. */
const SMALL_COUNTS = new Map<string, string>();

function claimedText(texts: OwnApiTexts, claimed: number, waiting: number): string {
  const counts = `${texts.language} ${claimed} ${waiting}`;
  const text = SMALL_COUNTS.get(counts) ?? builtInText(texts, "claimed", { claimed, waiting });
  if (claimed + waiting < 10) SMALL_COUNTS.set(counts, text);
  return text;
}

/** The body of a claim, or its error. */
export function claimAnswer(result: ClaimResult, app: string): ClaimResponse {
  const replayed = result.replayed ?? false;
  switch (result.verdict) {
    case "OK":
      return {
        message: claimedText(result.texts ?? ENGLISH, result.claimed.length, result.waiting),
        claimed_rewards: result.claimed.map((reward) => present(reward, result, app)),
      };
    case "NO_REWARDS_AVAILABLE":
    case "NO_CODES_AVAILABLE":
      return fail(result.verdict, undefined, {
        replayed,
        ...(result.retry_after !== null && { retryAfter: result.retry_after }),
        ...(result.recent_claims && {
          extra: { recent_claims: result.recent_claims.map((reward) => present(reward, result, app)) },
          language: (result.texts ?? ENGLISH).language,
        }),
      });
    case "CONFLICT":
      return fail("CONFLICT", "This Idempotency-Key was used with another request body", { replayed });
    case "NOT_FOUND":
      return fail("NOT_FOUND", "No referrer exists for this uid", { replayed });
  }
}

function present(reward: Claimed, stores: Stores, app: string): ClaimedReward {
  const { reward_id, platform, code, reward_number } = reward;
  const { apple_app_id: appleAppId, android_package: androidPackage, texts } = stores;
  const item = { ...reward, appleAppId, androidPackage };
  const { instructions, storeUrl } = redemptionOf(item, stores.app_name ?? app, texts ?? ENGLISH);
  return { reward_id, platform, code, reward_number, instructions, store_url: storeUrl };
}
