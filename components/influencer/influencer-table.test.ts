import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { InfluencerView } from "@/lib/contract/influencer-view";
import { InfluencerTable } from "./influencer-table";

const influencer = (id: string, figures: Partial<InfluencerView>): InfluencerView => ({
  ...{ id, uid: id, metacode: id, link: "https://example.com/r/x", name: null, handle: null, notes: null },
  ...{ status: "active", createdAt: new Date(), clicked: 0, earned: 0, claimed: 0, withdrawn: 0 },
  ...{ assigned: 0, confirmed: 0, ...figures },
});

test("the conversion is of the codes that are counted to their end", () => {
  const influencers = [
    influencer("a", { clicked: 5, assigned: 80, confirmed: 31 }),
    influencer("b", { clicked: 5 }),
    influencer("c", { assigned: 10_000, confirmed: 31 }),
  ];
  const sorting = { by: undefined, href: () => "/" };
  const props = { appId: "1", influencers, platforms: [], referrers: "/referrers", sorting };
  const rows = renderToStaticMarkup(createElement(InfluencerTable, props)).split("<tr").slice(2);
  const cells = rows.map((row) => [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell]) => cell));
  const shown = cells.map((row) => row[6]?.replace(/<[^>]*>/g, ""));
  expect(shown).toEqual(["39% of codes", "–", "–"]);
});
