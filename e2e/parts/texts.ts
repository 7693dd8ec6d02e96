import { expect, type Page } from "playwright/test";
import {
  axeViolations,
  browserErrors,
  COLOUR_RULES,
  horizontalOverflow,
  openHydrated,
  setColours,
  VIEWPORTS,
} from "./page-checks";

/**
 * Replaces a page's text with another page's, so that axe is loaded and compiled once for many texts. In highlighted code,
 * where thousands of elements look the same, one of each look stays an element.
 */
function replaceText(html: string): void {
  const main = document.querySelector("main");
  if (main) main.outerHTML = html;
  const seen = new Set<string>();
  for (const token of document.querySelectorAll("main pre span:not(:has(*))")) {
    let look = "";
    for (let part: Element | null = token; part; part = part.parentElement) look += ` < ${part.className}`;
    if (seen.has(look)) token.replaceWith(token.textContent ?? "");
    else seen.add(look);
  }
}

/**
 * Removes the elements whose look has occurred before, on this page or an earlier one: the same tags, classes and styles
 * from `main` down, and likewise with or without other text beside them. Colours depend on nothing else.
 */
function keepNewLooks(): void {
  const shared = window as unknown as { looks?: Set<string> };
  const looks = shared.looks ?? new Set();
  shared.looks = looks;
  const lookOf = new Map<Element | null, string>();
  const needed = new Set<Element>();
  for (const part of document.querySelectorAll("main *")) {
    const { parentElement: parent, textContent, tagName } = part;
    const beside = textContent === parent?.textContent ? "" : " beside";
    const own = ["class", "style"].map((name) => part.getAttribute(name)).join();
    const look = `${lookOf.get(parent)} > ${tagName} ${own}${beside}`;
    lookOf.set(part, look);
    if (looks.has(look)) continue;
    looks.add(look);
    for (let outer: Element | null = part; outer && !needed.has(outer); outer = outer.parentElement)
      needed.add(outer);
  }
  for (const part of document.querySelectorAll("main *")) if (!needed.has(part)) part.remove();
}

/**
 * Expects pages that differ only in their text to be sound: all of axe on a desktop, contrast in dark, and no horizontal
 * scrolling at the narrower widths. Another test checks their common frame in every form.
 */
export async function expectSoundTexts(page: Page, paths: readonly string[]): Promise<void> {
  const { desktop, ...narrower } = VIEWPORTS;
  const texts = new Map<string, string>();
  for (const path of paths) {
    const errors = browserErrors(page);
    // React reports errors before the last element is hydrated.
    await openHydrated(page, path);
    for (const [name, viewport] of Object.entries(narrower)) {
      await page.setViewportSize(viewport);
      expect.soft(await horizontalOverflow(page), `${path}, ${name}`).toBe(0);
    }
    texts.set(path, await page.locator("main").evaluate((main) => main.outerHTML));
    expect.soft(errors, path).toEqual([]);
    page.removeAllListeners();
  }
  const copy = await page.context().newPage();
  await copy.setViewportSize(desktop);
  await openHydrated(copy, "/docs");
  for (const [colours, rules] of [["light"], ["dark", COLOUR_RULES]] as const) {
    await setColours(copy, colours);
    for (const [path, html] of texts) {
      await copy.evaluate(replaceText, html);
      if (colours === "dark") await copy.evaluate(keepNewLooks);
      await expect.soft.poll(() => axeViolations(copy, rules, "main"), `${path}, ${colours}`).toEqual([]);
    }
  }
  await copy.close();
}
