import { expect, test } from "vitest";
import { docsLibrary } from "@/lib/web/docs/library";
import { queryOf, similarPages } from "./similar-pages";

const PAGES = docsLibrary().groups.flatMap(({ pages }) => pages);

const first = (path: string) => similarPages(PAGES, queryOf(path))[0]?.href;

test.each([
  ["/docs/guides/app-review.md", "/docs/app-review"],
  ["/docs/quikstart", "/docs/quickstart"],
  ["/docs/swfit", "/docs/swift"],
  ["/docs/kotlni", "/docs/kotlin"],
  ["/docs/react", "/docs/react-native"],
  ["/docs/webhook", "/docs/webhooks"],
  ["/docs/api/redeem", "/docs/api/redeem-metacode"],
  ["/docs/rate_limit", "/docs/rate-limits"],
  ["/docs/user-id", "/docs/user-ids"],
])("the missing page %s is similar to %s", (path, href) => {
  expect(first(path)).toBe(href);
});

test.each(["/docs/zzzz", "/docs/%F0%9F%92%A5", "/docs/a", "/docs/wp-login.php"])(
  "%s is like no page",
  (path) => {
    expect(similarPages(PAGES, queryOf(path))).toEqual([]);
  },
);

test("a long address is no reason to list more than five", () => {
  expect(similarPages(PAGES, queryOf(`/docs/${"api-keys-".repeat(200)}`)).length).toBeLessThanOrEqual(5);
});
