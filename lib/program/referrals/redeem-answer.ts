import type { Platform } from "@/lib/contract/fields";
import { PLATFORM_NAME } from "@/lib/contract/format";
import type { RedeemResponse } from "@/lib/contract/redeem";
import { type ErrorDetails, fail } from "@/lib/platform/errors";
import { displayName } from "@/lib/program/referrers/display-name";
import { redemptionOf } from "@/lib/program/stores/redemption";
import { builtInText, ENGLISH, nameIn, type OwnApiTexts, ownText } from "@/lib/program/texts/api-texts";

/** A redemption as the SQL function returns it. */
interface Redeemed {
  code: string;
  kind: "one_time" | "custom";
  platform: Platform;
  metacode: string;
  app_name: string;
  apple_app_id: string | null;
  android_package: string | null;
  instructions: string | null;
  name: unknown;
  display_name: unknown;
  /** Absent for English without texts of the owner. */
  texts?: OwnApiTexts | null;
}

interface EarlierResponse {
  /** The response that the referee already got, perhaps in an ended campaign. */
  redemption?: Redeemed | null;
  texts?: OwnApiTexts | null;
}

/** The SQL result of one redeem: an error code of section 7, or OK with the parts of the answer. */
export type RedeemResult =
  // `reserved`: a code that was set aside for the referee's place in line. `budget`: one of a campaign with a budget.
  | ({ verdict: "OK"; replayed?: true; referrer_id: string; reserved?: true; budget?: true } & Redeemed)
  | ({
      verdict: "ALREADY_REDEEMED" | "METACODE_NOT_FOUND" | "CAMPAIGN_INACTIVE";
      replayed?: true;
      /** Set if the campaign is running but has spent its budget for codes. */
      reason?: "budget";
    } & EarlierResponse)
  | ({
      verdict: "CONFLICT";
      replayed?: true;
      reason: "self_referral" | "reciprocal" | "referrer_daily_cap" | "dismissed" | "idempotency_key_reused";
    } & EarlierResponse)
  | ({
      verdict: "NO_CODES_AVAILABLE";
      replayed?: true;
      retry_after: number;
      /** Set if the referee got a new place in line: the referrer who brought them. */
      referrer_id?: string;
      /** Set over a cap: the redeem is held until a member has reviewed it, or refused because too many are held. */
      reason?: "review" | "codes_per_address";
      /** Set if the campaign does not run on the platform of the request. */
      platform?: Platform;
      runs_on?: Platform[];
    } & EarlierResponse);

const CONFLICTS = {
  self_referral: "Referrers cannot redeem their own metacode",
  reciprocal: "This referee has referred the referrer of this metacode",
  referrer_daily_cap: "This metacode has reached its limit for 24 hours",
  dismissed: "This redemption was reviewed and refused",
  idempotency_key_reused: "This Idempotency-Key was used with another request body",
};

const IN_REVIEW = "This redemption is waiting for a review, try again later";

const BUDGET_SPENT = "This referral campaign has assigned all of its codes";

/** The body of a redeem, or its error. */
export function redeemAnswer(result: RedeemResult): RedeemResponse {
  const details: ErrorDetails = { replayed: result.replayed ?? false };
  switch (result.verdict) {
    case "OK":
      return toRedeemResponse(result);
    case "ALREADY_REDEEMED":
    case "METACODE_NOT_FOUND":
    case "CAMPAIGN_INACTIVE":
      return fail(result.verdict, result.reason && BUDGET_SPENT, { ...details, ...earlierResponse(result) });
    case "CONFLICT":
      return fail("CONFLICT", CONFLICTS[result.reason], { ...details, ...earlierResponse(result) });
    case "NO_CODES_AVAILABLE":
      return fail("NO_CODES_AVAILABLE", result.reason ? IN_REVIEW : wrongPlatform(result), {
        ...details,
        ...earlierResponse(result),
        retryAfter: result.retry_after,
      });
  }
}

/** The response that the referee already got, beside the error. */
export function earlierResponse({ redemption, texts = null }: EarlierResponse): ErrorDetails {
  if (!redemption) return {};
  const { language } = texts ?? ENGLISH;
  return { extra: { redemption: toRedeemResponse({ ...redemption, texts }) }, language };
}

/** The message for a platform on which the campaign does not run; undefined if it does. */
function wrongPlatform({ platform, runs_on: runsOn }: { platform?: Platform; runs_on?: Platform[] }) {
  if (!platform || !runsOn) return undefined;
  const names = runsOn.map((name) => PLATFORM_NAME[name]).join(" and ");
  return `This campaign has no codes for ${PLATFORM_NAME[platform]}: it runs on ${names} only`;
}

/** The body of a successful redeem (4.3); the preview of a campaign's form shows it as well. */
export function toRedeemResponse(redeemed: Redeemed): RedeemResponse {
  const texts = redeemed.texts ?? ENGLISH;
  const item = {
    code: redeemed.code,
    kind: redeemed.kind,
    platform: redeemed.platform,
    appleAppId: redeemed.apple_app_id,
    androidPackage: redeemed.android_package,
    instructions: redeemed.instructions,
  };
  const { instructions, storeUrl } = redemptionOf(item, redeemed.app_name, texts);
  const inviter = nameIn(texts, displayName(redeemed) ?? redeemed.metacode);
  const message =
    ownText(texts, "referredBy", { inviter, app: nameIn(texts, redeemed.app_name) }) ??
    builtInText(texts, "referredBy", { inviter });
  return {
    code: redeemed.code,
    platform: redeemed.platform,
    instructions,
    store_url: storeUrl,
    referrer_info: { message },
  };
}
