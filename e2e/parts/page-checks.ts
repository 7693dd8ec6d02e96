import { readFileSync } from "node:fs";
import { expect, type Locator, type Page, test } from "playwright/test";

const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

export const DESKTOP_VIEWPORT = { width: 1280, height: 800 };
export const PHONE_VIEWPORT = { width: 390, height: 844 };

/** Collects errors of the browser: broken policies, failed hydration, missing files. */
export function browserErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("console", (message) => message.type() !== "info" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  return errors;
}

/** The violations that axe finds on a page, one per line. Frames are left out: axe fails on frames without an origin. */
export async function axeViolations(page: Page): Promise<string[]> {
  // After a client-side navigation the title appears later than the content.
  await page.waitForFunction(() => document.title !== "");
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run({ iframes: false, resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
  });
}

/** Pixels by which a page is wider than the screen. */
export function horizontalOverflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Expects no axe violation and no horizontal scrolling. `expect.soft` continues with the next page. */
export async function expectAccessible(page: Page, look: typeof expect.soft = expect): Promise<void> {
  look(await axeViolations(page)).toEqual([]);
  look(await horizontalOverflow(page)).toBe(0);
}

/** The widths of every page of the dashboard. */
const VIEWPORTS = { desktop: DESKTOP_VIEWPORT, phone: PHONE_VIEWPORT };

/** The widths of pages for everyone, which must also fit a screen of 320 pixels. */
export const PUBLIC_VIEWPORTS = { ...VIEWPORTS, "narrow phone": { width: 320, height: 640 } };

/**
 * Loads a page in light and in dark, and expects it to be accessible at each width and to cause no error in the browser.
 * A flaw does not end the test, so that one run finds all of them.
 */
export async function expectSoundInEveryForm(
  page: Page,
  path: string,
  viewports: Record<string, typeof DESKTOP_VIEWPORT> = VIEWPORTS,
): Promise<void> {
  const errors = browserErrors(page);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto(path);
    for (const [device, viewport] of Object.entries(viewports)) {
      await test.step(`${path} on a ${device} in ${colorScheme}`, async () => {
        await page.setViewportSize(viewport);
        await expectAccessible(page, expect.soft);
      });
    }
  }
  expect.soft(errors, path).toEqual([]);
  page.removeAllListeners();
}

/** Deals items out in turn, so that long tests become several of about the same length. */
export function inParts<Item>(items: readonly Item[], parts: number): Item[][] {
  return Array.from({ length: parts }, (_, part) => items.filter((_item, index) => index % parts === part));
}

/** Reloads the page until an element that depends on a delayed write is visible. */
export async function reloadUntilVisible(page: Page, what: Locator): Promise<void> {
  await expect(async () => {
    await page.reload();
    await expect(what).toBeVisible({ timeout: 1_000 });
  }).toPass();
}
