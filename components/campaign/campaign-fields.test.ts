import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { NEW_CAMPAIGN } from "@/lib/contract/campaign";
import { CAMPAIGN_RULES, PLATFORM_RULES } from "@/lib/contract/campaign-rules";
import { type CampaignView, PLATFORMS } from "@/lib/contract/campaign-view";
import type { PoolOption } from "@/lib/contract/pool";
import { CampaignRules } from "./campaign-facts";
import { CampaignFields } from "./campaign-fields";

/** Two imaginary rules, which no screen knows. */
vi.mock("@/lib/contract/campaign-rules", async (original) => {
  const real = await original<typeof import("@/lib/contract/campaign-rules")>();
  const { z } = await import("zod");
  return {
    CAMPAIGN_RULES: { ...real.CAMPAIGN_RULES, bonusDays: z.number().default(0) },
    PLATFORM_RULES: { ...real.PLATFORM_RULES, motto: z.string().nullable().default(null) },
  };
});

const ANSWER = {
  code: "EXAMPLE2CODE4",
  platform: "ios",
  instructions: "Tap Redeem",
  store_url: "https://apps.apple.com/redeem",
  referrer_info: { message: "You were referred by Anna" },
} as const;

const POOL = { id: "a-pool", platform: "ios", name: "Pool", kind: "one_time", free: 5 } as const;
const POOLS: PoolOption[] = [
  { ...POOL, use: "referee" },
  { ...POOL, use: "reward" },
];

const CAMPAIGN: CampaignView = {
  ...{ ...NEW_CAMPAIGN, id: "an-id", status: "draft", activatedAt: null },
  platforms: [
    {
      ...{ platform: "ios", grantAfter: null, granted: 0, threshold: 1 },
      ...{ refereePoolId: null, rewardPoolId: null, instructions: null, rewardCap: null },
    },
  ],
};

const form = (campaign: CampaignView) =>
  renderToStaticMarkup(
    createElement(CampaignFields, {
      campaign,
      pools: POOLS,
      answerOf: () => ANSWER,
      state: {},
      influencer: false,
      fresh: true,
    }),
  );

test("the form of a campaign has a control for every rule; imaginary rules have none", () => {
  const html = form(CAMPAIGN);
  const names = [
    ...Object.keys(CAMPAIGN_RULES),
    ...PLATFORMS.flatMap((platform) =>
      Object.keys(PLATFORM_RULES).map((rule) => `platforms.${platform}.${rule}`),
    ),
  ];
  expect(names.filter((name) => !html.includes(` name="${name}"`))).toEqual([
    "bonusDays",
    "platforms.ios.motto",
    "platforms.android.motto",
  ]);
});

const page = (campaign: CampaignView) =>
  renderToStaticMarkup(
    createElement(CampaignRules, { campaign, readiness: { platforms: [], active: null }, pools: "/pools" }),
  );

/** A value that the rule allows and that is not the campaign's above. */
function anotherValue(name: string, rule: z.ZodType): unknown {
  if (rule instanceof z.ZodDefault) {
    const inner = rule.unwrap() as z.ZodType;
    if (inner instanceof z.ZodBoolean) return !rule.parse(undefined);
    if (inner instanceof z.ZodEnum) return inner.options.find((value) => value !== rule.parse(undefined));
    return anotherValue(name, inner);
  }
  if (rule instanceof z.ZodNullable) return anotherValue(name, rule.unwrap() as z.ZodType);
  if (rule instanceof z.ZodNumber) return 77;
  if (rule instanceof z.ZodUnion) return new Date("2099-01-01T00:00:00.000Z");
  return name.endsWith("PoolId") ? POOL.id : "Another";
}

/** The rules whose value a screen does not show. */
function hiddenRules(render: (campaign: CampaignView) => string): string[] {
  const usual = render(CAMPAIGN);
  const ofCampaign = Object.entries<z.ZodType>(CAMPAIGN_RULES).filter(
    ([name, rule]) => render({ ...CAMPAIGN, [name]: anotherValue(name, rule) }) === usual,
  );
  const ofPlatforms = Object.entries<z.ZodType>(PLATFORM_RULES).filter(([name, rule]) => {
    const platforms = CAMPAIGN.platforms.map((row) => ({ ...row, [name]: anotherValue(name, rule) }));
    return render({ ...CAMPAIGN, platforms }) === usual;
  });
  return [...ofCampaign, ...ofPlatforms].map(([name]) => name);
}

test("the form begins with the value of every rule; imaginary rules do not show", () => {
  expect(hiddenRules(form)).toEqual(["bonusDays", "motto"]);
});

test("the campaign's page shows every rule; imaginary rules do not show", () => {
  // The name is the page's title, and the pools are those of the readiness.
  const inOtherPlaces = ["name", "refereePoolId", "rewardPoolId"];
  expect(hiddenRules(page).filter((name) => !inOtherPlaces.includes(name))).toEqual(["bonusDays", "motto"]);
});
