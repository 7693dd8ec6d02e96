import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import UnmatchedPage from "@/app/dashboard/apps/[appId]/providers/unmatched/page";
import ReviewPage from "@/app/dashboard/apps/[appId]/referrals/review/page";
import { ReferralTable } from "@/components/referral/referral-table";
import type { ReferralRow } from "@/lib/contract/referral-list";
import { appContext } from "@/lib/web/session/context";

const none = async () => ({ data: [], nextCursor: null });
vi.mock("next/navigation", async (original) => ({
  ...(await original()),
  useRouter: () => ({}),
  usePathname: () => "/list",
  useSearchParams: () => new URLSearchParams(),
}));
vi.mock("@/lib/web/session/context", async (original) => ({ ...(await original()), appContext: vi.fn() }));
vi.mock("@/lib/program/confirmations/list", async (original) => ({
  ...(await original()),
  listUnmatched: () => none(),
}));
vi.mock("@/lib/program/referrals/review", async (original) => ({
  ...(await original()),
  listReviews: () => none(),
}));
vi.mock("@/lib/program/connections/connection", async (original) => ({
  ...(await original()),
  listConnections: async () => [],
}));

const row = (changes: Partial<ReferralRow>): ReferralRow => ({
  id: "1",
  status: "code_assigned",
  refereeUid: "ben",
  platform: "ios",
  referrer: null,
  campaign: null,
  code: null,
  createdAt: new Date(),
  confirmedAt: null,
  heldUntil: null,
  reversedAt: null,
  ...changes,
});

test("a click has no checkbox, because no action on referrals fits it", () => {
  const click = row({ id: "2", status: "clicked", refereeUid: null });
  const props = { base: "/b", label: "Referrals", rows: [row({}), click], selectable: true };
  const markup = renderToStaticMarkup(createElement(ReferralTable, props));
  expect([
    ...markup.matchAll(/type="checkbox"[^>]*value="(\d)"|value="(\d)"[^>]*type="checkbox"/g),
  ]).toHaveLength(1);
  expect(markup).toContain("Not known yet");
  expect(markup).not.toContain("an unknown referee");
});

test.each([
  [UnmatchedPage, "No lost referrals", "No older events", "Newest"],
  [ReviewPage, "Nothing to review", "No more redemptions", "First page"],
])(
  "a later page that is empty since its rows were dismissed leads to the first, which may have some: %#",
  async (Page, nothing, noMore, first) => {
    const context = {
      ctx: {},
      app: { id: "a", reviewsBeyondCaps: true },
      workspace: { id: "w" },
      role: "viewer",
    };
    vi.mocked(appContext).mockResolvedValue(context as unknown as Awaited<ReturnType<typeof appContext>>);
    const shown = async (query: { cursor?: string; q?: string }) => {
      const props = { params: Promise.resolve({ appId: "a" }), searchParams: Promise.resolve(query) };
      return renderToStaticMarkup(await Page(props));
    };
    expect(await shown({})).toContain(nothing);
    // The advice on the page names steps for which a viewer has no button.
    expect(await shown({})).toMatch(/A support agent can [^<]* dismiss .*href="\/dashboard\/workspaces\/w"/s);
    const later = await shown({ cursor: "WyIxIl0", q: "b" });
    expect(later).not.toContain(nothing);
    expect(later).toMatch(new RegExp(`${noMore}.*choose “${first}” below.*<a [^>]*>${first}<`, "s"));
  },
);

test("a search of the review list without a match leads back to the whole list", async () => {
  const context = { ctx: {}, app: { id: "a" }, workspace: { id: "w" }, role: "owner" };
  vi.mocked(appContext).mockResolvedValue(context as unknown as Awaited<ReturnType<typeof appContext>>);
  const query = { q: "zoe", state: "dismissed" };
  const props = { params: Promise.resolve({ appId: "a" }), searchParams: Promise.resolve(query) };
  expect(renderToStaticMarkup(await ReviewPage(props))).toMatch(
    /No matching redemptions.*href="\/dashboard\/apps\/a\/referrals\/review\?state=dismissed"[^>]*>Show all redemptions/s,
  );
});
