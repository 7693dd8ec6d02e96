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

const noticeOf = (
  role: "viewer" | "member" | "admin",
  platforms = [gaps],
  rewardsOn: "friend" | "referrer" = "friend",
) =>
  renderToStaticMarkup(
    MissingNotice({
      readiness: { platforms, active: null },
      reader: { appId: "a1", workspaceId: "w1", role },
      campaign: { id: "c1", rewardsOn },
    }),
  );

const linksFor = (role: "viewer" | "member" | "admin") => {
  const html = noticeOf(role);
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

test("where the referrer’s own platform decides, a pool of the other one pays those who are there", () => {
  const pool = { id: "p1", name: "Codes", free: 9 };
  const sound: PlatformReadiness = { platform: "android", storeId: true, referee: pool, reward: pool };
  const lacking = (reward: PlatformReadiness["reward"]): PlatformReadiness[] => [
    { ...sound, platform: "ios", reward },
    sound,
  ];
  const none = "iOS has no free codes for rewards, so none can be claimed.";
  const [empty, without] = [lacking({ ...pool, free: 0 }), lacking(null)];
  for (const platforms of [empty, without]) expect(noticeOf("admin", platforms)).toContain(none);
  expect(noticeOf("admin", empty, "referrer")).toContain("so referrers on iOS cannot claim any.");
  expect(noticeOf("admin", without, "referrer")).toContain(
    "so only referrers on Android can claim those earned there.",
  );
  expect(noticeOf("admin", without.slice(0, 1), "referrer")).toContain(none);
});
