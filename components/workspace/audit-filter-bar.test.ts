import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { AuditFilterBar } from "./audit-filter-bar";

vi.mock("next/navigation", async (original) => ({
  ...(await original()),
  usePathname: () => "/",
  useRouter: () => ({}),
}));

test("the days of the audit log are named as days in UTC, as in other lists", () => {
  const shown = renderToStaticMarkup(createElement(AuditFilterBar, { filters: {}, apps: [] }));
  expect(shown).toContain("First day, UTC");
  expect(shown).toContain("Last day, UTC");
});
