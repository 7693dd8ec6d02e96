import { expect, test } from "vitest";
import { endConsequences, pauseConsequences } from "@/components/campaign/consequences";

type Situation = Parameters<typeof endConsequences>[0];

const situation = (campaign: object, outlook: object) =>
  ({
    campaign: { type: "referral", rewardBudget: null, spentRewards: 0, ...campaign },
    outlook: { referrers: 0, more: false, openCodes: 0, unclaimed: 0, inLine: 0, ...outlook },
    readiness: { active: null, platforms: [] },
  }) as unknown as Situation;

test("ending a campaign says which earned rewards stay claimable, and which its budget loses for good", () => {
  const budget = { rewardBudget: 3, spentRewards: 1 };
  const lines = endConsequences(situation(budget, { unclaimed: 5 }));
  expect(lines).toContain("2 rewards are earned and not claimed. They stay claimable.");
  expect(lines).toContain(
    "3 earned rewards are beyond its budget and can never be claimed then. Raise the budget first.",
  );
  expect(pauseConsequences(situation(budget, { unclaimed: 5 })).join(" ")).not.toContain("never");
  for (const enough of [{ rewardBudget: 6, spentRewards: 1 }, {}])
    expect(endConsequences(situation(enough, { unclaimed: 5 })).slice(2)).toEqual([
      "5 rewards are earned and not claimed. They stay claimable.",
    ]);
  expect(endConsequences(situation({}, { unclaimed: 1 }))).toContain(
    "1 reward is earned and not claimed. It stays claimable.",
  );
});

test("ending a campaign says on which platforms rewards lack a pool, which can never be chosen then", () => {
  const lines = (rewardsOn: string, pools: (object | null)[]) => {
    const platforms = pools.map((reward, n) => ({ platform: n ? "android" : "ios", reward }));
    const of = { ...situation({ rewardsOn }, { unclaimed: 5 }), readiness: { active: null, platforms } };
    return endConsequences(of as unknown as Situation).join(" ");
  };
  const never =
    "No reward pool is selected for iOS: rewards there can never be claimed then. Select one first.";
  expect(lines("friend", [null, {}])).toContain(never);
  expect(lines("referrer", [null, {}])).not.toContain("can never");
  expect(lines("referrer", [null, {}])).toContain(
    "for iOS: only referrers on Android can claim rewards earned there then.",
  );
  expect(lines("referrer", [null, null])).toContain("for iOS and Android: rewards there can never");
});

test("ending a campaign says how many referees lose their places in line", () => {
  expect(endConsequences(situation({}, { inLine: 2 })).at(-1)).toMatch(/^2 people lose their places in line/);
  expect(endConsequences(situation({}, {})).join(" ")).not.toContain("in line");
});

test("pausing an influencer campaign pauses its influencers, and the program only with a referral campaign", () => {
  const lines = (type: string) => pauseConsequences(situation({ type }, {})).join(" ");
  expect(lines("referral")).toContain("your app sees the program as paused");
  expect(lines("influencer")).not.toContain("the program");
  expect(lines("influencer")).toContain("its influencers are shown as paused");
});
