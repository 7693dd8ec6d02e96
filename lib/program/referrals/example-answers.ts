import type { ExampleAnswers } from "@/lib/contract/campaign-view";
import type { Platform } from "@/lib/contract/fields";
import type { AppRef } from "@/lib/tenants/context";
import { toRedeemResponse } from "./redeem-answer";

/** The responses that the preview of a campaign's form shows, from the function behind the API. */
export function exampleAnswers(app: AppRef): ExampleAnswers {
  const answer = (platform: Platform, kind: "one_time" | "custom") =>
    toRedeemResponse({
      platform,
      kind,
      code: "EXAMPLE2CODE4",
      metacode: "k7m2p9xd",
      name: "Anna",
      display_name: undefined,
      instructions: null,
      app_name: app.name,
      apple_app_id: app.appleAppId,
      android_package: app.androidPackage,
    });
  const answers = (platform: Platform) => ({
    one_time: answer(platform, "one_time"),
    custom: answer(platform, "custom"),
  });
  return { ios: answers("ios"), android: answers("android") };
}
