import fc from "fast-check";
import { expect, test } from "vitest";
import { HOME, returnPath } from "@/lib/web/session/paths";

const SITE = "https://metacode.example";

test.each(["/", "/dashboard", "/dashboard/apps/1/keys?tab=2&q=%2F%2Fevil", "/r/abc"])("%s stays", (path) => {
  expect(returnPath(path)).toBe(path);
});

test.each([
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/.//evil.example",
  "/a/..//evil.example",
  "https://evil.example",
  "javascript:alert(1)",
  "dashboard",
  "",
  `/${"a".repeat(1_000)}`,
  undefined,
  ["/a", "/b"],
])("%j becomes the home page", (path) => {
  expect(returnPath(path)).toBe(HOME);
});

test("no path leaves the site, however the browser reads it", () => {
  const parts = fc.constantFrom(
    "/",
    "\\",
    "\t",
    "\n",
    ".",
    "..",
    "@",
    "evil.example",
    "%2f",
    "%5c",
    ":",
    "?",
    "#",
  );
  const text = fc.array(fc.oneof(parts, fc.string()), { maxLength: 8 }).map((list) => list.join(""));
  fc.assert(
    fc.property(text, (wanted) => {
      const path = returnPath(wanted);
      expect(new URL(path, SITE).origin).toBe(SITE);
      expect(returnPath(path)).toBe(path);
    }),
    { seed: 1, numRuns: 5_000 },
  );
});
