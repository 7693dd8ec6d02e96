import { readFileSync } from "node:fs";
import { expect, type Page } from "playwright/test";

const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

export const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1";

/** What the browser complained about: broken policies, failed hydration, missing files. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => message.type() !== "info" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  return complaints;
}

/** What axe finds on a page, a line each. It cannot speak to a frame without an origin, and complains that it tried. */
export async function flawsOf(page: Page): Promise<string[]> {
  // A page that follows another has its title a moment later than its content.
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

/** How far a page is wider than the screen. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Nothing for axe to find, and nothing wider than the screen. `expect.soft` goes on to the next page. */
export async function expectSound(page: Page, look: typeof expect.soft = expect): Promise<void> {
  look(await flawsOf(page)).toEqual([]);
  look(await overflowOf(page)).toBe(0);
}
