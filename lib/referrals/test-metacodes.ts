import type { Context } from "@/lib/context";
import type { RedeemInput, RedeemResponse } from "@/lib/contract/redeem";
import { type ErrorCode, fail } from "@/lib/errors";
import { toRedeemResponse } from "./present";

/** Neither store puts an underscore or a word into the codes it generates. */
const TEST_CODE = "TEST_CODE_NOT_REDEEMABLE";

const OUTCOMES = new Map<string, ErrorCode | "OK">([
  ["test123", "OK"],
  ["test409", "ALREADY_REDEEMED"],
  ["test404", "METACODE_NOT_FOUND"],
  ["test503", "NO_CODES_AVAILABLE"],
  ["testended", "CAMPAIGN_INACTIVE"],
]);

/** Whether a metacode is one of the test metacodes, which no referrer has. */
export const isTestMetacode = (metacode: string): boolean => OUTCOMES.has(metacode);

/**
 * Answers the test metacodes: nothing is read from a pool and nothing stored, but the request counts. Undefined for
 * every other metacode.
 */
export async function redeemTestMetacode(
  ctx: Context,
  input: RedeemInput,
): Promise<RedeemResponse | undefined> {
  const outcome = OUTCOMES.get(input.metacode);
  if (!outcome) return undefined;
  await ctx.meter.take();
  if (outcome !== "OK") fail(outcome, undefined, outcome === "NO_CODES_AVAILABLE" ? { retryAfter: 60 } : {});
  return toRedeemResponse({
    code: TEST_CODE,
    kind: "one_time",
    platform: input.platform,
    metacode: input.metacode,
    app_name: ctx.app.name,
    apple_app_id: ctx.app.appleAppId,
    android_package: ctx.app.androidPackage,
    instructions: null,
    name: undefined,
    display_name: undefined,
  });
}
