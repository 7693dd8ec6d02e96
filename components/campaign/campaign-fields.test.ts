import { type ComponentProps, createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { campaignInput, createCampaignForm, NEW_CAMPAIGN } from "@/lib/contract/campaign";
import { CAMPAIGN_RULES, PLATFORM_RULES } from "@/lib/contract/campaign-rules";
import type { CampaignView } from "@/lib/contract/campaign-view";
import { PLATFORMS } from "@/lib/contract/format";
import type { PoolOption } from "@/lib/contract/pool";
import { CampaignError } from "./campaign-error";
import { CampaignRules } from "./campaign-facts";
import { CampaignFields } from "./campaign-fields";
import { sentTime } from "./date-time-field";

/** Two imaginary rules, which no screen knows. */
vi.mock("@/lib/contract/campaign-rules", async (original) => {
  const real = await original<typeof import("@/lib/contract/campaign-rules")>();
  const { z } = await import("zod");
  const { wholeField } = await import("@/lib/contract/fields");
  return {
    CAMPAIGN_RULES: { ...real.CAMPAIGN_RULES, bonusDays: wholeField("bonusDays", 0, 9).default(0) },
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
const ANSWERS = { one_time: ANSWER, custom: ANSWER };

const POOL = { id: "a-pool", platform: "ios", name: "Pool", kind: "one_time", free: 5 } as const;
const POOLS: PoolOption[] = [
  { ...POOL, use: "referee" },
  { ...POOL, use: "reward" },
];

const CAMPAIGN: CampaignView = {
  ...{ ...NEW_CAMPAIGN, id: "an-id", status: "draft", activatedAt: null, spentCodes: 0, spentRewards: 0 },
  platforms: [
    {
      ...{ platform: "ios", grantAfter: null, granted: 0, threshold: 1 },
      ...{ refereePoolId: null, rewardPoolId: null, instructions: null, rewardCap: null },
    },
  ],
};

type Fields = ComponentProps<typeof CampaignFields>;

const render = (changes: Partial<Fields>) =>
  renderToStaticMarkup(
    createElement(CampaignFields, {
      appId: "01a2b3c4-d5e6-7f80-9a1b-2c3d4e5f6a7b",
      campaign: NEW_CAMPAIGN,
      pools: POOLS,
      examples: { ios: ANSWERS, android: ANSWERS },
      state: {},
      influencer: false,
      stores: ["ios", "android"],
      fresh: true,
      ...changes,
    }),
  );

test.each([true, false])(
  "the form of a campaign has a control for every rule, influencer: %s; imaginary rules have none",
  (influencer) => {
    const html = render({ influencer });
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
  },
);

const form = (campaign: CampaignView) => render({ campaign });

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
function hiddenRules(show: (campaign: CampaignView) => string): string[] {
  const usual = show(CAMPAIGN);
  const ofCampaign = Object.entries<z.ZodType>(CAMPAIGN_RULES).filter(
    ([name, rule]) => show({ ...CAMPAIGN, [name]: anotherValue(name, rule) }) === usual,
  );
  const ofPlatforms = Object.entries<z.ZodType>(PLATFORM_RULES).filter(([name, rule]) => {
    const platforms = CAMPAIGN.platforms.map((row) => ({ ...row, [name]: anotherValue(name, rule) }));
    return show({ ...CAMPAIGN, platforms }) === usual;
  });
  return [...ofCampaign, ...ofPlatforms].map(([name]) => name);
}

test("the form begins with the value of every rule; imaginary rules do not show", () => {
  expect(hiddenRules(form)).toEqual(["bonusDays", "motto"]);
});

test("the campaign's page shows every rule; imaginary rules do not show", () => {
  // The page shows the name as its title, and the pools with the campaign's readiness.
  const inOtherPlaces = ["name", "refereePoolId", "rewardPoolId"];
  expect(hiddenRules(page).filter((name) => !inOtherPlaces.includes(name))).toEqual(["bonusDays", "motto"]);
});

/** The value that a control of the form sends. */
const sent = (html: string, name: string) =>
  new RegExp(`<input(?=[^>]* name="${name.replaceAll(".", "\\.")}")[^>]* value="([^"]*)"`).exec(html)?.[1];

test("one number of friends is for both platforms until they differ", () => {
  const rule = (platform: "ios" | "android", threshold: number) => ({
    ...{ platform, threshold, refereePoolId: null, rewardPoolId: null, instructions: null },
    ...{ rewardCap: null, grantAfter: null, granted: 0 },
  });
  const campaign = { ...NEW_CAMPAIGN, platforms: [rule("ios", 2), rule("android", 2)] };
  const same = render({ campaign, fresh: false });
  expect(same.match(/aria-label="Threshold[^"]*"/g)).toEqual(['aria-label="Threshold"']);
  expect([sent(same, "platforms.ios.threshold"), sent(same, "platforms.android.threshold")]).toEqual([
    "2",
    "2",
  ]);
  const differing = { ...campaign, platforms: [rule("ios", 2), rule("android", 5)] };
  const apart = render({ campaign: differing, fresh: false });
  expect(apart.match(/aria-label="Threshold[^"]*"/g)).toHaveLength(2);
  expect([sent(apart, "platforms.ios.threshold"), sent(apart, "platforms.android.threshold")]).toEqual([
    "2",
    "5",
  ]);
});

test("rewards for the friend's platform come with a warning where the campaign runs on both", () => {
  const warning = "many rewards will not fit the phone of the referrer";
  expect(NEW_CAMPAIGN.rewardsOn).toBe("friend");
  expect(render({})).toContain(warning);
  expect(render({ stores: ["ios"] })).not.toContain(warning);
  expect(render({ campaign: { ...NEW_CAMPAIGN, rewardsOn: "referrer" } })).not.toContain(warning);
});

test("a new campaign runs only on the stores that the app has", () => {
  const checked = (html: string) =>
    [...html.matchAll(/name="platforms\.(\w+)\.on"/g)].map(([, name]) => name);
  expect(checked(render({ stores: ["ios"] }))).toEqual(["ios"]);
  expect(render({ stores: ["ios"] })).toContain("The Android package is missing");
  expect(checked(render({ stores: [] }))).toEqual(["ios", "android"]);
});

test("a year with an extra digit, which the browsers accept, is refused and not stored as no end", () => {
  const { endsAt } = CAMPAIGN_RULES;
  expect(render({}).match(/type="datetime-local"[^>]* max="9999-12-31T23:59"/g)).toHaveLength(2);
  expect(endsAt.safeParse(sentTime("202718-12-01T08:00")).success).toBe(false);
  expect(endsAt.parse(sentTime("2027-12-01T08:00"))).toEqual(new Date("2027-12-01T08:00"));
  expect(sentTime("")).toBe("");
});

test("the fold of a field with an error is open, the others are closed", () => {
  const open = (field?: string) =>
    render({ state: field ? { error: { message: `${field} is wrong`, field } } : {} }).match(
      /<details[^>]* open=""/g,
    )?.length ?? 0;
  expect(open()).toBe(0);
  for (const field of ["endsAt", "platforms.android.rewardCap", "safetyMarginHours"])
    expect(open(field)).toBe(1);
  expect(open("name")).toBe(0);
});

/** The first error of a new campaign, as its form gets it. */
function errorOf(changes: object) {
  const ios = { threshold: 1 };
  const { error } = campaignInput.safeParse({ ...NEW_CAMPAIGN, name: "A", platforms: { ios }, ...changes });
  const [issue] = error?.issues ?? [];
  return { error: { message: issue?.message ?? "", field: issue?.path.join(".") } };
}

test("a campaign without a store is refused at its stores", () => {
  const state = errorOf({ platforms: {} });
  const html = render({ state });
  expect(html.match(/aria-invalid="true"/g)).toHaveLength(2);
  expect(html).toContain(">Choose at least one store</p>");
});

const textAtButton = (state: ReturnType<typeof errorOf>) =>
  renderToStaticMarkup(createElement(CampaignError, { state }));

test("the error at the button has a name for every rule that a form can break; an imaginary rule has none", () => {
  const broken = {
    ...Object.fromEntries(Object.keys(CAMPAIGN_RULES).map((rule) => [rule, { [rule]: {} }])),
    ...Object.fromEntries(
      Object.keys(PLATFORM_RULES).map((rule) => [rule, { platforms: { ios: { threshold: 1, [rule]: {} } } }]),
    ),
  };
  const unnamed = Object.keys(broken).filter((rule) =>
    textAtButton(errorOf(broken[rule] ?? {})).includes(`>${rule} `),
  );
  expect(unnamed).toEqual(["bonusDays"]);
});

test.each([
  [{ holdDays: 91 }, "The hold must be a whole number from 0 to 90. Nothing was saved."],
  [
    { startsAt: new Date(2_000), endsAt: new Date(1_000) },
    "The end must be after the start. Nothing was saved.",
  ],
])("the error at the button names its field: %j", (changes, text) => {
  expect(textAtButton(errorOf(changes))).toContain(text);
});

test.each([
  ["12", 12],
  [" 3 ", 3],
  ["-1", -1],
  ["1e3", Number.NaN],
  ["0x10", Number.NaN],
  ["three", Number.NaN],
  ["", Number.NaN],
])("the form reads the threshold %j as %d", (threshold, number) => {
  const appId = "018f0000-0000-7000-8000-000000000000";
  const read = createCampaignForm.parse({ appId, type: "referral", platforms: { ios: { threshold } } });
  expect(read.platforms?.ios?.threshold).toBe(number);
});
