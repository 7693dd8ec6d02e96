import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { MissingNotice } from "@/components/campaign/notices";
import type { PlatformReadiness } from "@/lib/contract/campaign-view";

const gaps: PlatformReadiness = {
  platform: "ios",
  storeId: false,
  referee: null,
  reward: { id: "p1", name: "Rewards", free: 0 },
};

const linksFor = (role: "viewer" | "member" | "admin") => {
  const notice = MissingNotice({
    readiness: { platforms: [gaps], active: null },
    reader: { appId: "a1", workspaceId: "w1", role },
    campaignId: "c1",
  });
  const html = renderToStaticMarkup(notice);
  return [...html.matchAll(/href="([^"]*)"[^>]*>([^<]*)/g)].map(([, href, text]) => `${text}: ${href}`);
};

test("each gap of a campaign leads to the page that closes it, or to the colleagues who may", () => {
  const [settings, edit, codes] = [
    "Enter it in the settings: /dashboard/apps/a1/settings",
    "Choose a referee pool: /dashboard/apps/a1/campaigns/c1/edit",
    "Import codes: /dashboard/apps/a1/codes/import?pool=p1&amp;from=c1",
  ];
  const team = "/dashboard/workspaces/w1";
  const ofAdmin = `Ask an admin to enter it in the settings: ${team}`;
  expect(linksFor("admin")).toEqual([settings, edit, codes]);
  expect(linksFor("member")).toEqual([ofAdmin, edit, codes]);
  expect(linksFor("viewer")).toEqual([
    ofAdmin,
    `Ask a member to choose a referee pool: ${team}`,
    `Ask a member to import codes: ${team}`,
  ]);
});
