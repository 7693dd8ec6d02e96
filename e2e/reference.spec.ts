import { expect, test } from "playwright/test";
import {
  browserErrors,
  DESKTOP_VIEWPORT,
  expectAccessible,
  horizontalOverflow,
} from "@/e2e/parts/page-checks";

const SCREENS = { desktop: DESKTOP_VIEWPORT, "narrow phone": { width: 320, height: 640 } };

for (const [device, viewport] of Object.entries(SCREENS)) {
  for (const colorScheme of ["light", "dark"] as const) {
    test.describe(`the API reference on a ${device} in ${colorScheme}`, () => {
      test.use({ viewport, colorScheme });

      test("is shown within its policy, from this server only", async ({ page, baseURL }) => {
        const errors = browserErrors(page);
        const foreign: string[] = [];
        page.on("request", (request) => {
          if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(`${baseURL}/`))
            foreign.push(request.url());
        });
        await page.goto("/docs/api");
        await expect(page.getByRole("heading", { name: "Redeem a metacode" })).toBeVisible();
        await expect(page.getByText("Assigns the referee one promo code").first()).toBeVisible();
        expect(await horizontalOverflow(page)).toBe(0);
        expect([errors, foreign]).toEqual([[], []]);
      });

      test("lists every call if the viewer does not load", async ({ page }) => {
        // Scripts stay enabled, because axe is one.
        await page.route(/\/docs\/api\/\w+\.js$/, (route) => route.abort());
        await page.goto("/docs/api");
        await expect(page.getByText("POST /api/referee-redeem")).toBeVisible();
        await expectAccessible(page);
      });
    });
  }
}

test("the search of the reference finds an operation, and a link leads back to the documentation", async ({
  page,
}) => {
  await page.setViewportSize(DESKTOP_VIEWPORT);
  await page.goto("/docs/api");
  await page
    .getByRole("textbox", { name: "Search" })
    .or(page.getByPlaceholder("Search..."))
    .first()
    .fill("claim");
  await expect(page.getByRole("menuitem", { name: "Claim rewards" }).last()).toBeVisible();
  await page.getByRole("link", { name: "Documentation" }).click();
  await expect(page).toHaveURL(/\/docs(\/|$)/);
});
