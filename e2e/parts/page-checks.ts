import { readFileSync } from "node:fs";
import { expect, type Locator, type Page } from "playwright/test";

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
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run({ iframes: false });
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

/** Reloads the page until an element that depends on a delayed write is visible. */
export async function reloadUntilVisible(page: Page, what: Locator): Promise<void> {
  await expect(async () => {
    await page.reload();
    await expect(what).toBeVisible({ timeout: 1_000 });
  }).toPass();
}
