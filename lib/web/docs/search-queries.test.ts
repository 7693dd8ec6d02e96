import { expect, test } from "vitest";
import {
  appDestinations,
  fitOf,
  generalDestinations,
  precedesDocs,
  workspaceDestinations,
} from "@/components/shell/destinations";
import { searchDocs } from "./search";

/** Queries of mobile developers, each with the pages one of which must be the first result. */
const QUERIES: Record<string, readonly string[]> = {
  idempotency: ["/docs/http", "/docs/api"],
  idempotncy: ["/docs/http", "/docs/api"],
  "api key in app": ["/docs/keys"],
  "universal link": ["/docs/deep-links"],
  "install referrer": ["/docs/deep-links", "/docs/kotlin"],
  "offer code sheet": ["/docs/swift", "/docs/store-codes"],
  "share sheet": ["/docs/swift", "/docs/kotlin", "/docs/react-native", "/docs/flutter"],
  "rate limit": ["/docs/rate-limits"],
  "429": ["/docs/rate-limits", "/docs/errors#rate_limited"],
  retry: ["/docs/http", "/docs/rate-limits"],
  ALREADY_REDEEMED: ["/docs/errors#already_redeemed"],
  NO_CODES_AVAILABLE: ["/docs/errors#no_codes_available"],
  "referee-redeem": ["/docs/api"],
  "webhook signature": ["/docs/webhooks"],
  sandbox: ["/docs/quickstart"],
  test123: ["/docs/quickstart"],
  "how do I test without a store": ["/docs/quickstart"],
  "react native expo": ["/docs/react-native"],
  "swift package": ["/docs/swift"],
  "jetpack compose": ["/docs/kotlin"],
  proguard: ["/docs/kotlin"],
  "flutter plugin": ["/docs/flutter"],
  unity: ["/docs/unity"],
  "code signing fingerprint": ["/docs/deep-links"],
  CORS: ["/docs/keys"],
  appAccountToken: ["/docs/user-ids"],
  "revenuecat anonymous id": ["/docs/user-ids"],
  postman: ["/docs/api"],
  openapi: ["/docs/api"],
  "delete user data": ["/docs/privacy"],
};

test("there are thirty queries", () => expect(Object.keys(QUERIES)).toHaveLength(30));

const isRight = (expected: readonly string[], href: string) =>
  expected.some((start) => href === start || new RegExp(`^${start}[/#]`).test(href));

test.each([
  ["self referral", "/docs/fraud"],
  ["webhook retry", "/docs/webhooks"],
  ["sign webhook", "/docs/webhooks"],
  ["how many api calls per minute", "/docs/rate-limits"],
  ["stolen key", "/docs/keys"],
  ["python", "/docs/http"],
  ["deprecation", "/docs/upgrading"],
  ["status code 500", "/docs/errors"],
  ["migrate from another service", "/docs/migrating"],
])("%s is answered first by %s", async (query, href) => {
  expect((await searchDocs(query))[0]?.section.href).toBe(href);
});

test.each(Object.entries(QUERIES))("%s is answered first by the right page", async (query, expected) => {
  const [first] = await searchDocs(query);
  const href = first?.section.href ?? "";
  expect(isRight(expected, href), `${query} finds ${href}: ${first?.section.heading}`).toBe(true);
});

const PLACES = {
  workspaces: [{ id: "w", name: "Acme", role: "owner" as const }],
  apps: [{ id: "a", name: "Fitness", sandbox: false, workspaceId: "w" }],
};
const { pages, actions } = appDestinations("a", "owner");
const DESTINATIONS = [
  ...pages,
  ...actions,
  ...workspaceDestinations(PLACES, "w"),
  ...generalDestinations(PLACES),
];

/** The first item of the palette: a page or an action of the dashboard, or a document. */
async function firstOfPalette(query: string): Promise<{ name: string; href: string }> {
  const fits = DESTINATIONS.map((place) => ({ place, fit: fitOf(place.name, query, place.keywords) }));
  const [best] = fits.filter(({ fit }) => fit > 0).toSorted((a, b) => b.fit - a.fit);
  const hits = await searchDocs(query);
  if (best && precedesDocs(best.fit, hits)) return best.place;
  return { name: hits[0]?.section.heading ?? "", href: hits[0]?.section.href ?? "" };
}

test.each(Object.entries(QUERIES))("%s opens the same from the palette", async (query, expected) => {
  const { name, href } = await firstOfPalette(query);
  // A page of the dashboard with exactly this name comes first.
  expect(isRight(expected, href) || name.toLowerCase() === query, `${query} opens ${href}: ${name}`).toBe(
    true,
  );
});

test.each([
  ["webhooks", "Webhooks"],
  ["invite a colleague", "Invite a colleague"],
  ["create campaign", "Create campaign"],
  ["slack", "Alerts"],
  ["2fa", "Account and security"],
  ["csv", "Import codes"],
  ["docs", "Docs"],
  ["documentation", "Docs"],
  ["referals", "Referrals"],
  ["create capmaign", "Create campaign"],
])("%s opens %s of the dashboard from the palette", async (query, name) => {
  expect(await firstOfPalette(query)).toMatchObject({ name });
});

test.each(["reversal", "transaction", "override"])(
  "%s opens the document that has it, before a page of the dashboard with a similar word",
  async (query) => {
    expect(DESTINATIONS.some((place) => fitOf(place.name, query, place.keywords) > 0)).toBe(true);
    expect(await firstOfPalette(query)).toMatchObject({ href: expect.stringMatching(/^\/docs\//) });
  },
);

test("a decision is found only on request", async () => {
  const kinds = async (decisions: boolean) =>
    (await searchDocs("group commit crash test", { decisions })).map(({ section }) => section.kind);
  expect(await kinds(true)).toContain("decision");
  expect(await kinds(false)).not.toContain("decision");
});

test.each(["landing", "landing page", "quota", "campaign", "cluster", "webhooks"])(
  "guides answer %s before the pages about the service itself",
  async (query) => {
    const kinds = (await searchDocs(query)).map(({ section }) => section.kind);
    const about = kinds.map((kind) => kind === "background");
    expect(about[0]).toBe(false);
    expect(about).toEqual(about.toSorted());
  },
);

test.each([
  ["architecture", "/docs/architecture"],
  ["benchmarks", "/docs/benchmarks"],
  ["release notes", "/docs/changelog"],
  ["landing", "/docs/landing-domain"],
])("%s is answered by %s first", async (query, href) => {
  expect((await searchDocs(query))[0]?.section.href).toBe(href);
});

test("one page never fills the list", async () => {
  const found = await searchDocs("error");
  const ofPage = (page: string) => found.filter(({ section }) => section.page === page).length;
  expect(found.length).toBeGreaterThan(6);
  expect(Math.max(...found.map(({ section }) => ofPage(section.page)))).toBe(3);
});
