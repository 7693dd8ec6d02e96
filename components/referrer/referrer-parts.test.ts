import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { InfluencerTable } from "@/components/influencer/influencer-table";
import type { InfluencerView } from "@/lib/contract/influencer-view";
import { referrerQuery } from "@/lib/contract/referrer-list";
import type { ReferrerView, RewardView } from "@/lib/contract/timeline";
import { ProgressCards } from "./referrer-facts";
import { omissionOf } from "./referrer-list";
import { RewardList } from "./reward-list";

const reward = (id: string, metacode: string): RewardView => ({
  id,
  metacode,
  platform: "ios",
  paidOn: "ios",
  campaign: "Spring",
  rewardNumber: 1,
  status: "earned",
  waitsFor: null,
  code: null,
  codeId: null,
  codeTrouble: null,
  replaced: false,
  createdAt: new Date(0),
  claimedAt: null,
});

/** The texts of an element and of what it renders, those of closed dialogs included. */
function textOf(node: unknown): string {
  return JSON.stringify(node, (_, value) =>
    typeof value?.type === "function" && /RewardList|Table|RewardActions|ReplaceCode/.test(value.type.name)
      ? { props: value.type(value.props) }
      : value,
  );
}

const rewards = (...rows: RewardView[]) =>
  renderToStaticMarkup(createElement(RewardList, { appId: "app", rewards: rows, actions: {} }));

test("rewards name their metacode only where they belong to two ids of a person", () => {
  expect(rewards(reward("1", "ANNA"), reward("2", "ANNA"))).not.toContain("Metacode");
  const joined = rewards(reward("1", "ANNA"), reward("2", "ANNE"));
  expect(joined).toMatch(/<th[^>]*>Metacode.*ANNA.*ANNE/s);
});

test("the list by confirmed referrals says that referrers without one are missing, where they are", () => {
  const line = "Only referrers with a confirmed referral are listed in this order.";
  const shown = (filters: object) => omissionOf(referrerQuery.parse(filters));
  const sort = "confirmed";
  expect([{ sort }, { sort, campaign: "none" }].map(shown)).toEqual([line, line]);
  const whole = [{}, { sort, q: "an" }, { sort, campaign: "01900000-0000-7000-8000-000000000000" }];
  expect(whole.map(shown)).toEqual([undefined, undefined, undefined]);
});

test("a replaced reward code of an influencer without a user ID, or of an erased user, is not said to reach an app", () => {
  const claimed = { ...reward("1", "ANNA"), status: "claimed", code: "••••", codeId: "c" } as const;
  const action = async () => ({});
  const props = { appId: "app", retryHours: 48, rewards: [claimed], actions: { replace: action } };
  const question = (uid: string) => textOf(createElement(RewardList, { ...props, uid }));
  expect(question("anna")).toContain("Your app gets the new code when");
  const id = "01900000-0000-7000-8000-000000000000";
  for (const none of [`influencer:${id}`, `erased:${"x".repeat(43)}:${id}`].map(question)) {
    expect(none).not.toMatch(/Your app gets|influencer has/);
    expect(none).toContain("an admin copies the new code on this page");
  }
});

test("rewards of an erased user that were not claimed are lost, not available", () => {
  const shown = (uid: string) =>
    renderToStaticMarkup(
      createElement(RewardList, { appId: "app", uid, rewards: [reward("1", "ANNA")], actions: {} }),
    );
  expect(shown("anna")).toContain("Available");
  const erased = `erased:${"x".repeat(43)}:01900000-0000-7000-8000-000000000000`;
  expect(shown(erased)).toContain("Lost");
  expect(shown(erased)).not.toContain("Available");
  const card = cards(["ios"], 2, 1, erased);
  expect(card).toMatch(/>2 lost with the erasure<.*>No further rewards</s);
  expect(card).not.toContain("Next reward");
});

const progress = { current: 1, threshold: 3, remaining: 2, next_reward_at: 3, percentage: 33 };
const cards = (platforms: ReferrerView["platforms"], available = 1, waiting?: number, uid = "anna") => {
  const stats = {
    referrals_count: 4,
    rewards_earned: 5,
    rewards_available: available,
    rewards_waiting: waiting,
  };
  const referrer = {
    uid,
    stats,
    platforms,
    inCampaign: platforms,
    progress: { ios: progress, android: progress },
  };
  return renderToStaticMarkup(
    createElement(ProgressCards, { referrer: referrer as unknown as ReferrerView }),
  );
};

test("a campaign on one store has three cards, and none for the other store", () => {
  const three = cards(["ios"]);
  expect(three.match(/<dt/g)).toHaveLength(3);
  expect(three).toContain("iOS, current campaign");
  expect(three).toContain('<rect width="33"');
  expect(three).not.toContain("Android");
  expect(cards(["ios", "android"]).match(/<dt/g)).toHaveLength(4);
});

test.each([
  [1, undefined, "1 can be claimed"],
  [1, 1, "0 can be claimed, 1 waits"],
  [5, 2, "3 can be claimed, 2 wait"],
])("of %i available rewards, %s of them waiting, the card says: %s", (available, waiting, note) => {
  expect(cards(["ios"], available, waiting)).toContain(`>${note}<`);
});

test("the list of influencers shows the confirmed referrals on a phone too, once", () => {
  const anna: InfluencerView = {
    id: "1",
    uid: "anna",
    metacode: "annafit",
    link: "https://example.com/r/annafit",
    name: "Anna",
    handle: null,
    notes: null,
    status: "active",
    createdAt: new Date(0),
    clicked: 90,
    assigned: 40,
    confirmed: 12,
    earned: 0,
    claimed: 0,
    withdrawn: 0,
  };
  const props = { appId: "app", influencers: [anna], platforms: ["ios" as const], referrers: "/referrers" };
  const shown = renderToStaticMarkup(
    createElement(InfluencerTable, { ...props, sorting: { by: undefined, href: () => "/list" } }),
  );
  const figures = [...shown.matchAll(/<td class="([^"]*)"[^>]*>12</g)].map(([, classes]) => classes);
  expect(figures).toHaveLength(1);
  expect(figures[0]).not.toMatch(/\bhidden\b/);
});
