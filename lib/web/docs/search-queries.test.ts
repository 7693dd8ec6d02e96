import { expect, test } from "vitest";
import { searchDocs } from "./search";

/** Queries of mobile developers, each with the pages of which one has to be the first result. */
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

test.each(Object.entries(QUERIES))("%s is answered first by the right page", async (query, expected) => {
  const [first] = await searchDocs(query);
  const href = first?.section.href ?? "";
  const right = expected.some((start) => href === start || new RegExp(`^${start}[/#]`).test(href));
  expect(right, `${query} finds ${href}: ${first?.section.heading}`).toBe(true);
});

test("a decision is found only on request", async () => {
  const kinds = async (decisions: boolean) =>
    (await searchDocs("group commit crash test", { decisions })).map(({ section }) => section.kind);
  expect(await kinds(true)).toContain("decision");
  expect(await kinds(false)).not.toContain("decision");
});

test("one page never fills the list", async () => {
  const found = await searchDocs("error");
  const ofPage = (page: string) => found.filter(({ section }) => section.page === page).length;
  expect(found.length).toBeGreaterThan(6);
  expect(Math.max(...found.map(({ section }) => ofPage(section.page)))).toBe(3);
});
