import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { DueRewards } from "@/lib/contract/campaign-view";
import { DueRewardList } from "./due-rewards";

const due = (values: Partial<DueRewards>): DueRewards => ({
  platform: "ios",
  referrers: 1,
  rewards: 2,
  waiting: 1,
  free: 4,
  rewardsOn: "friend",
  budget: null,
  ...values,
});

const show = (...list: DueRewards[]) => renderToStaticMarkup(createElement(DueRewardList, { due: list }));

test("each platform says whether its own pool has codes for its rewards", () => {
  const text = show(due({}), due({ platform: "android", free: 1 }));
  expect(text).toContain("The reward pool has codes for all of them");
  expect(text).toContain("The reward pool has 1 free code for 3 rewards");
  expect(text).not.toContain("own platform");
});

test("rewards paid on the referrer's own platform are compared once with the codes of all pools", () => {
  const own = { rewardsOn: "referrer", free: 5 } as const;
  const text = show(due(own), due({ ...own, platform: "android" }));
  expect(text.match(/free code/g)).toHaveLength(1);
  expect(text).toContain("The reward pools have 5 free codes for 6 rewards");
  expect(text).toContain("own platform");
  expect(show(due({ ...own, free: 3 }))).toContain("The reward pools have codes for all of them");
});

test("a budget that pays fewer rewards than become due and wait is named", () => {
  const android = { platform: "android", budget: 5 } as const;
  expect(show(due({ budget: 5 }), due(android))).toContain("budget pays 5 more rewards of these 6");
  expect(show(due({ budget: 6 }), due({ ...android, budget: 6 }))).not.toContain("budget");
});
