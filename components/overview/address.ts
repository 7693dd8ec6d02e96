import type { OverviewQuery } from "@/lib/contract/overview";

/** The overview's address with some filters replaced; default values are left out. */
export function overviewAddress(appId: string, query: OverviewQuery, change: Partial<OverviewQuery>): string {
  const { range, from, to, step, campaign, platform, table } = { ...query, ...change };
  const search = new URLSearchParams();
  if (range !== "30d") search.set("range", range);
  if (range === "custom" && from) search.set("from", from);
  if (range === "custom" && to) search.set("to", to);
  if (step !== "confirmed") search.set("step", step);
  if (campaign) search.set("campaign", campaign);
  if (platform) search.set("platform", platform);
  if (table) search.set("table", table);
  const text = search.toString();
  return `/dashboard/apps/${appId}${text === "" ? "" : `?${text}`}`;
}
