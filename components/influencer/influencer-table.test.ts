import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { InfluencerView } from "@/lib/contract/influencer-view";
import { InfluencerTable } from "./influencer-table";
import { GrantRewards } from "./rewards-by-hand";

const influencer = (id: string, figures: Partial<InfluencerView>): InfluencerView => ({
  id,
  uid: id,
  metacode: id,
  link: "https://example.com/r/x",
  name: null,
  handle: null,
  notes: null,
  status: "active",
  createdAt: new Date(),
  clicked: 0,
  earned: 0,
  claimed: 0,
  withdrawn: 0,
  assigned: 0,
  confirmed: 0,
  ...figures,
});

const shownOf = (influencers: InfluencerView[]) => {
  const sorting = { by: undefined, href: () => "/" };
  const props = { appId: "1", influencers, platforms: [], referrers: "/referrers", sorting };
  return renderToStaticMarkup(createElement(InfluencerTable, props));
};

test("a phone shows the metacode below the name, so that the confirmed referrals fit beside it", () => {
  const shown = shownOf([influencer("mara2027", { name: "Mara Lindström-Papadopoulos" })]);
  const headings = [...shown.matchAll(/<th scope="col"[^>]* class="([^"]*)">(.*?)<\/th>/g)];
  const onPhone = headings.filter(([, looks]) => !looks?.includes("max-sm:hidden"));
  expect(onPhone.map(([, , text]) => text?.replace(/<[^>]*>/g, ""))).toEqual(["Influencer", "Confirmed"]);
  expect(shown).toMatch(/Papadopoulos<\/span><code class="[^"]* sm:hidden">mara2027</);
});

test("the heading of the clicks says that they are those of 90 days", () => {
  const headings = [...shownOf([influencer("a", {})]).matchAll(/<th scope="col".*?<\/th>/g)];
  expect(headings.map(([text]) => text.replace(/<[^>]*>/g, ""))).toContain("Clicked, 90 days");
});

test("the conversion is of the codes that are counted to their end", () => {
  const influencers = [
    influencer("a", { clicked: 5, assigned: 80, confirmed: 31 }),
    influencer("b", { clicked: 5 }),
    influencer("c", { assigned: 10_000, confirmed: 31 }),
  ];
  const rows = shownOf(influencers).split("<tr").slice(2);
  const cells = rows.map((row) => [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell]) => cell));
  const shown = cells.map((row) => row[6]?.replace(/<[^>]*>/g, ""));
  expect(shown).toEqual(["39% of codes", "–", "–"]);
});

test("a grant of rewards says that they can be withdrawn until they are claimed", () => {
  const props = { appId: "1", platforms: [], action: async () => ({}), open: true, onClose: () => undefined };
  const { description } = GrantRewards({ ...props, influencer: influencer("a", {}) }).props;
  expect(description).toContain("Until one is claimed, you can withdraw it");
  expect(description).not.toContain("never");
});
