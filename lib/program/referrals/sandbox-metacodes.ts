import { normalizeMetacode } from "@/lib/contract/fields";
import type { PersonRequest } from "@/lib/contract/person";
import type { RedeemInput, RedeemResponse } from "@/lib/contract/redeem";
import { type ErrorCode, fail } from "@/lib/platform/errors";
import type { OwnApiTexts } from "@/lib/program/texts/api-texts";
import type { Context } from "@/lib/tenants/context";
import { toRedeemResponse } from "./redeem-answer";

/** Stores never generate a code that contains an underscore or a word. */
const SANDBOX_CODE = "TEST_CODE_NOT_REDEEMABLE";

const OUTCOMES = new Map<string, ErrorCode | "OK">([
  ["test123", "OK"],
  ["test409", "ALREADY_REDEEMED"],
  ["test404", "METACODE_NOT_FOUND"],
  ["test503", "NO_CODES_AVAILABLE"],
  ["testended", "CAMPAIGN_INACTIVE"],
]);

/** Whether a metacode is a test metacode such as `test123`, which no referrer has. */
export const isSandboxMetacode = (metacode: string): boolean => OUTCOMES.has(metacode);

/** Whether a request was refused because its user has redeemed. Refusals of test metacodes say nothing about a user. */
export const hadRedeemed = ({ errorCode, metacode }: PersonRequest): boolean =>
  errorCode === "ALREADY_REDEEMED" && !isSandboxMetacode(normalizeMetacode(metacode ?? ""));

/**
 * Answers the test metacodes for integrators: reads no pool and stores nothing, but the request counts. Undefined for
 * every other metacode.
 */
export async function redeemSandboxMetacode(
  ctx: Context,
  input: RedeemInput,
  texts: OwnApiTexts | null,
): Promise<RedeemResponse | undefined> {
  const outcome = OUTCOMES.get(input.metacode);
  if (!outcome) return undefined;
  await ctx.meter.take();
  if (outcome !== "OK") fail(outcome, undefined, outcome === "NO_CODES_AVAILABLE" ? { retryAfter: 60 } : {});
  return toRedeemResponse({
    code: SANDBOX_CODE,
    kind: "one_time",
    platform: input.platform,
    metacode: input.metacode,
    app_name: ctx.app.name,
    apple_app_id: ctx.app.appleAppId,
    android_package: ctx.app.androidPackage,
    instructions: null,
    name: undefined,
    display_name: undefined,
    texts,
  });
}
