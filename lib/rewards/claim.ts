import type { Context } from "@/lib/context";
import type { ClaimedReward, ClaimResponse } from "@/lib/contract/claim";
import type { Platform } from "@/lib/contract/fields";
import { fail } from "@/lib/errors";
import { callOnce } from "@/lib/idempotency/call";
import type { Idempotency } from "@/lib/idempotency/key";
import { redemptionOf } from "@/lib/stores/redemption";

interface Claimed {
  reward_id: string;
  platform: Platform;
  reward_number: number;
  code: string;
  kind: "one_time" | "custom";
  instructions: string | null;
}

interface Stores {
  apple_app_id: string | null;
  android_package: string | null;
}

/** What `claim_rewards` returns. */
export type ClaimResult = { replayed?: true } & (
  | ({ verdict: "OK"; claimed: Claimed[]; waiting: number } & Stores)
  | ({ verdict: "NO_REWARDS_AVAILABLE" | "NO_CODES_AVAILABLE"; recent_claims: Claimed[] | null } & Stores)
  | { verdict: "CONFLICT" | "NOT_FOUND" }
);

/** Seconds after which an empty pool is worth another try. */
const REFILL_RETRY = 60;

interface ClaimRequest {
  uid: string;
  idempotency?: Idempotency | undefined;
}

/**
 * Section 4.2: claims every reward that a code can be given for; the rest stay available. Throws NOT_FOUND,
 * NO_REWARDS_AVAILABLE, NO_CODES_AVAILABLE, CONFLICT, RATE_LIMITED.
 */
export async function claimRewards(
  ctx: Context,
  request: ClaimRequest,
): Promise<{ body: ClaimResponse; replayed: boolean }> {
  const { idempotency } = request;
  const result = await callOnce<ClaimResult>(ctx, "claim_rewards", [
    ctx.app.id,
    request.uid,
    idempotency?.key ?? null,
    idempotency?.hash ?? null,
  ]);
  return { body: claimAnswer(result), replayed: result.replayed ?? false };
}

/** The answer to what `claim_once` did, or its error. */
export function claimAnswer(result: ClaimResult): ClaimResponse {
  const replayed = result.replayed ?? false;
  switch (result.verdict) {
    case "OK":
      return {
        message: messageOf(result.claimed.length, result.waiting),
        claimed_rewards: result.claimed.map((reward) => present(reward, result)),
      };
    case "NO_REWARDS_AVAILABLE":
    case "NO_CODES_AVAILABLE":
      return fail(result.verdict, undefined, {
        replayed,
        ...(result.verdict === "NO_CODES_AVAILABLE" && { retryAfter: REFILL_RETRY }),
        ...(result.recent_claims && {
          extra: { recent_claims: result.recent_claims.map((reward) => present(reward, result)) },
        }),
      });
    case "CONFLICT":
      return fail("CONFLICT", "This Idempotency-Key was used with another request body", { replayed });
    case "NOT_FOUND":
      return fail("NOT_FOUND", "No referrer exists for this uid", { replayed });
  }
}

function messageOf(claimed: number, waiting: number): string {
  const done = `Successfully claimed ${claimed} ${claimed === 1 ? "reward" : "rewards"}`;
  return waiting === 0 ? done : `${done}, ${waiting} more ${waiting === 1 ? "waits" : "wait"} for codes`;
}

function present(reward: Claimed, stores: Stores): ClaimedReward {
  const { instructions, storeUrl } = redemptionOf({
    code: reward.code,
    kind: reward.kind,
    platform: reward.platform,
    appleAppId: stores.apple_app_id,
    androidPackage: stores.android_package,
    instructions: reward.instructions,
  });
  return {
    reward_id: reward.reward_id,
    platform: reward.platform,
    code: reward.code,
    reward_number: reward.reward_number,
    instructions,
    store_url: storeUrl,
  };
}
