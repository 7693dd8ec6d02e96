import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import PersonPage from "@/app/dashboard/apps/[appId]/people/page";
import { JoinUids } from "@/components/person/join";
import { findSpelling } from "@/lib/program/end-users/join";
import { appContext } from "@/lib/web/session/context";

vi.mock("@/lib/web/session/context", async (original) => ({ ...(await original()), appContext: vi.fn() }));
vi.mock("@/lib/outward/person/get", () => ({
  getPerson: async () => ({ notes: [] }),
  isUnknown: () => true,
}));
vi.mock("@/lib/program/end-users/join", async (original) => ({
  ...(await original()),
  findSpelling: vi.fn(),
}));

test("a user of whom nothing is known leads to the ID that was probably meant", async () => {
  const context = { ctx: {}, app: { id: "a" }, workspace: { id: "w" }, role: "viewer" };
  vi.mocked(appContext).mockResolvedValue(context as unknown as Awaited<ReturnType<typeof appContext>>);
  const shown = async (meant: string | undefined) => {
    vi.mocked(findSpelling).mockResolvedValue(meant);
    const query = {
      params: Promise.resolve({ appId: "a" }),
      searchParams: Promise.resolve({ uid: "Milo+1" }),
    };
    return renderToStaticMarkup(await PersonPage(query));
  };
  const link = /<a[^>]*href="\/dashboard\/apps\/a\/people\?uid=milo%2B1"[^>]*>milo\+1<\/a>/;
  expect(await shown("milo+1")).toMatch(
    new RegExp(`no recent change has this ID\\. Did you mean ${link.source}\\? Search for another ID`, "s"),
  );
  expect(await shown(undefined)).not.toContain("Did you mean");
});

test("the question before IDs are joined names what else becomes one: places in line, and decisions beyond a limit", () => {
  const shown = JSON.stringify(JoinUids({ action: async () => ({}), appId: "a", uid: "milo" }));
  // An ID with a code of its own keeps its refunds, and most of its purchases.
  expect(shown).toContain("names an ID without a code then finds the referral of the other");
  expect(shown).toMatch(/Of two places in line, one ends, and a decision .*beyond a limit holds for both/);
});
