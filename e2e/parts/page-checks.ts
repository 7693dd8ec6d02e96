import { readFileSync } from "node:fs";
import { expect, type Locator, type Page, type Response, test } from "playwright/test";

const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

export const DESKTOP_VIEWPORT = { width: 1280, height: 800 };
export const PHONE_VIEWPORT = { width: 390, height: 844 };

/** A warning that a busy machine causes: the page was not drawn within seconds of its load. */
const LATE = /was preloaded using link preload but not used/;

/** Collects errors of the browser with their addresses: broken policies, failed hydration, missing files. */
export function browserErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() !== "info" && !LATE.test(message.text()))
      errors.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => errors.push(error.message));
  return errors;
}

/** The rules of axe that depend on the colour scheme. */
export const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** Evaluates axe as a separate script, whose compiled code Chromium caches for the next page, unlike that of a text. */
async function loadAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: AXE });
  await session.detach();
}

/**
 * The violations that axe finds on a page or in a part of it, one per line, by every rule unless some are named. Leaves
 * out frames, because axe fails on frames without an origin.
 */
export async function axeViolations(page: Page, rules?: string[], part = "html"): Promise<string[]> {
  const look = async ([part, runOnly]: [string, string[] | undefined]) => {
    const { axe } = window as unknown as {
      axe?: {
        run(
          part: string,
          options: object,
        ): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
      };
    };
    if (!axe) return undefined;
    // After a client-side navigation the title appears later than the content.
    while (document.title === "") await new Promise(requestAnimationFrame);
    const { violations } = await axe.run(part, {
      iframes: false,
      // Skips style sheets, which no rule here reads.
      preload: false,
      resultTypes: ["violations"],
      ...(runOnly && { runOnly }),
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
  };
  const options = [part, rules] as [string, string[] | undefined];
  const found = await page.evaluate(look, options);
  if (found) return found;
  await loadAxe(page);
  return (await page.evaluate(look, options)) ?? ["axe was not loaded"];
}

/** Waits until a page is hydrated. Before that, it ignores keys and files, and shows nothing that the browser stores. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const last = [...document.querySelectorAll("main *")].at(-1);
    return Object.keys(last ?? {}).some((key) => key.startsWith("__react"));
  });
  // Effects, which listen for keys, run after the last element is hydrated.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
}

export async function openHydrated(page: Page, path: string): Promise<Response | null> {
  const response = await page.goto(path);
  await hydrated(page);
  return response;
}

/** Pixels by which a page is wider than the screen. */
export function horizontalOverflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/**
 * Expects no axe violation and no horizontal scrolling. `expect.soft` continues with the next page. A page with violations
 * is checked again, because a dialog that is still fading in has too little contrast.
 */
export async function expectAccessible(
  page: Page,
  look: typeof expect.soft = expect,
  rules?: string[],
): Promise<void> {
  await look.poll(() => axeViolations(page, rules)).toEqual([]);
  look(await horizontalOverflow(page)).toBe(0);
}

/** The narrowest screen, which is also a window of 640 pixels at a zoom of 200%. */
const NARROW_VIEWPORT = { width: 320, height: 640 };

/** The widths that every page must fit. */
export const VIEWPORTS = { desktop: DESKTOP_VIEWPORT, phone: PHONE_VIEWPORT, narrow: NARROW_VIEWPORT };

/** Turns an open page light or dark and waits until its colours have changed. */
export async function setColours(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.evaluate(async () => {
    // A transition starts with the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const changes = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(changes.map(({ finished }) => finished));
  });
}

/**
 * Expects an open page to fit each width, to be accessible at the widest and the narrowest in light, and to have enough
 * contrast there in dark, where only colours differ. Continues after a flaw, so that one run finds all of them.
 */
export async function expectSoundInEveryForm(page: Page): Promise<void> {
  const path = new URL(page.url()).pathname;
  const { phone, desktop, narrow } = VIEWPORTS;
  const check = (form: string, rules?: string[]) =>
    test.step(`${path}, ${form}`, () => expectAccessible(page, expect.soft, rules));
  await setColours(page, "light");
  await page.setViewportSize(phone);
  expect.soft(await horizontalOverflow(page), `${path} on a phone`).toBe(0);
  // This order redraws the page the fewest times.
  await page.setViewportSize(desktop);
  await check("desktop");
  await setColours(page, "dark");
  await check("desktop, in dark", COLOUR_RULES);
  await page.setViewportSize(narrow);
  await check("narrow, in dark", COLOUR_RULES);
  await setColours(page, "light");
  await check("narrow");
}

/** Loads each page, and expects it to be sound in every form and to cause no error in the browser. */
export async function expectSoundPages(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const errors = browserErrors(page);
    await page.goto(path);
    await expectSoundInEveryForm(page);
    expect.soft(errors, path).toEqual([]);
    page.removeAllListeners();
  }
}

/** Distributes items in turn, so that a long test becomes several of about the same length. */
export function inParts<Item>(items: readonly Item[], parts: number): Item[][] {
  return Array.from({ length: parts }, (_, part) => items.filter((_item, index) => index % parts === part));
}

/** Chooses an option until the page reacts, because a choice before the page is hydrated is lost. */
export async function chooseOption(
  select: Locator,
  value: string,
  followed: () => Promise<unknown>,
): Promise<void> {
  await expect(async () => {
    await select.selectOption(value);
    await followed();
  }).toPass();
}

/** Opens the palette by its keys, which a page ignores before it is hydrated. */
export async function openPalette(page: Page): Promise<Locator> {
  const palette = page.getByRole("dialog", { name: "Search and commands" });
  await expect(async () => {
    if (!(await palette.isVisible())) await page.keyboard.press("ControlOrMeta+k");
    await expect(palette).toBeVisible({ timeout: 5_000 });
  }).toPass();
  return palette;
}

/** Reloads the page until an element that depends on a delayed write is visible. */
export async function reloadUntilVisible(page: Page, what: Locator): Promise<void> {
  await expect(async () => {
    await page.reload();
    await expect(what).toBeVisible({ timeout: 1_000 });
  }).toPass();
}
