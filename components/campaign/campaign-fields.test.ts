import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { NEW_CAMPAIGN } from "@/lib/contract/campaign";
import { CAMPAIGN_RULES, PLATFORM_RULES } from "@/lib/contract/campaign-rules";
import { CampaignFields } from "./campaign-fields";

const ANSWER = {
  code: "EXAMPLE2CODE4",
  platform: "ios",
  instructions: "Tap Redeem",
  store_url: "https://apps.apple.com/redeem",
  referrer_info: { message: "You were referred by Anna" },
} as const;

test("the form of a campaign has a control for every rule", () => {
  const html = renderToStaticMarkup(
    createElement(CampaignFields, {
      campaign: NEW_CAMPAIGN,
      pools: [],
      answerOf: () => ANSWER,
      state: {},
      influencer: false,
      fresh: true,
    }),
  );
  const names = [
    ...Object.keys(CAMPAIGN_RULES),
    ...["ios", "android"].flatMap((platform) =>
      Object.keys(PLATFORM_RULES).map((rule) => `platforms.${platform}.${rule}`),
    ),
  ];
  expect(names.filter((name) => !html.includes(` name="${name}"`))).toEqual([]);
});
