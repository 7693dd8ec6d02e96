import type { Platform } from "@/lib/contract/fields";
import type { RedeemResponse } from "@/lib/contract/redeem";
import { displayName } from "@/lib/referrers/display-name";
import { redemptionOf } from "@/lib/stores/redemption";

/** A redemption as the SQL function returns it. */
export interface Redeemed {
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
}

/** The body of a successful redeem (4.3). */
export function toRedeemResponse(given: Redeemed): RedeemResponse {
  const { instructions, storeUrl } = redemptionOf({
    code: given.code,
    kind: given.kind,
    platform: given.platform,
    appleAppId: given.apple_app_id,
    androidPackage: given.android_package,
    instructions: given.instructions,
  });
  const who = displayName(given) ?? given.metacode;
  return {
    code: given.code,
    platform: given.platform,
    instructions,
    store_url: storeUrl,
    referrer_info: { message: `You were referred by ${who}` },
  };
}
