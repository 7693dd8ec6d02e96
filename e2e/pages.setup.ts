import { expect, test } from "playwright/test";
import { crawlPages, declaredPages, storePages } from "@/e2e/parts/pages";
import { cookiesOf } from "@/e2e/parts/sign-in";
import { seedReferrals, seedSampleApp } from "@/e2e/seed/sample-app";

test("every page of the dashboard is found by following links", async ({ page, request }) => {
  await seedReferrals(request);
  const views = await seedSampleApp(request);
  expect(views.length).toBeGreaterThan(20);
  await page.context().addCookies(await cookiesOf());
  // Nothing links to the page of parts.
  const start = ["/dashboard", "/dashboard/account", "/dashboard/workspaces/new", "/dashboard/ui"];
  const found = await crawlPages(page.request, start);
  expect([...found.keys()].sort()).toEqual(declaredPages().sort());
  await storePages([...found.values()], views);
});
