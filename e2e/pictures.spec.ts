import { readFileSync } from "node:fs";
import { type Browser, expect, type Page, test } from "playwright/test";
import sharp from "sharp";
import type { SampleWorkspace } from "@/lib/cli/sample-workspace/build";
import { IPHONE_AGENT } from "@/lib/testing/user-agents";
import { callApi } from "./parts/api";
import { DESKTOP_VIEWPORT, PHONE_VIEWPORT } from "./parts/page-checks";
import { makeSample } from "./parts/samples";
import { cookiesOf } from "./parts/sign-in";

/** The Chromium that drew the stored pictures, that of `@sparticuz/chromium`: another version draws letters differently. */
const MAJOR = "143";

/** Pixels that may differ, of a million: a button that changes its colour has three thousand. */
const TOLERATED = 500;

/** Screens of the dashboard, below the app unless they begin with a slash. */
const SCREENS = {
  start: "start",
  campaigns: "campaigns",
  "new-campaign": "campaigns/new",
  codes: "codes",
  import: "codes/import",
  referrers: "referrers",
  referrals: "referrals",
  keys: "keys",
  requests: "requests",
  domain: "settings/domain",
  webhooks: "webhooks",
  settings: "settings",
  rules: "settings/rules",
  account: "/dashboard/account",
  workspace: "/dashboard/workspaces/new",
  landing: "landing",
} as const;

const PUBLIC = {
  "sign-in": "/sign-in",
  "sign-up": "/sign-up",
  "not-found": "/no-such-page",
  front: "/",
} as const;

/** Half of the screens are dark. */
const DARK = "campaigns codes referrers keys domain rules workspace sign-in not-found".split(" ");

/** The landing page is set in the system's font, so its pictures use one from a package. */
const NOTO = readFileSync(
  "node_modules/@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff2",
  "base64",
);
const BUNDLED_FONT = `@font-face{font-family:Bundled;src:url(data:font/woff2;base64,${NOTO})}*{font-family:Bundled!important}`;

let own: SampleWorkspace;
let cookies: Awaited<ReturnType<typeof cookiesOf>>;

test.beforeAll(async ({ browser, baseURL }) => {
  own = await makeSample("--live", "--codes", "20");
  cookies = await cookiesOf(browser, baseURL, own.owner);
});

test.describe.configure({ mode: "serial" });

test("the pictures belong to the installed Chromium", () => {
  const { version } = JSON.parse(readFileSync("node_modules/@sparticuz/chromium/package.json", "utf8"));
  // After an upgrade: change MAJOR, run `npm run screenshots`, and look at the new pictures.
  expect(version.split(".")[0]).toBe(MAJOR);
});

test("screens look as they are stored", async ({ browser, baseURL }) => {
  skipOtherBrowsers(browser);
  for (const [name, path] of Object.entries({ ...SCREENS, ...PUBLIC })) {
    const page = await openPage(browser, baseURL, { colorScheme: DARK.includes(name) ? "dark" : "light" });
    if (!(name in PUBLIC)) await page.context().addCookies(cookies);
    await page.goto(path.startsWith("/") ? path : `/dashboard/apps/${own.app_id}/${path}`);
    await expectPicture(page, name);
    await page.context().close();
  }
});

test("every part of the interface looks as it is stored, in light, in dark and on a phone", async ({
  browser,
  baseURL,
}) => {
  skipOtherBrowsers(browser);
  for (const [name, look] of [
    ["parts-light", { colorScheme: "light", viewport: DESKTOP_VIEWPORT }],
    ["parts-dark", { colorScheme: "dark", viewport: DESKTOP_VIEWPORT }],
    ["parts-phone", { colorScheme: "light", viewport: PHONE_VIEWPORT }],
  ] as const) {
    const page = await openPage(browser, baseURL, look);
    await page.context().addCookies(cookies);
    await page.goto("/dashboard/ui");
    await expectPicture(page, name, true);
    if (name === "parts-light") {
      await page.getByRole("button", { name: "Delete app" }).click();
      await expectPicture(page, "parts-dialog");
    }
    await page.context().close();
  }
});

test("the landing page looks as it is stored", async ({ browser, baseURL, request }) => {
  skipOtherBrowsers(browser);
  const made = await callApi(request, own.api_key, "referrer", { uid: "p", metadata: { name: "Anna" } });
  const { metacode } = await made.json();
  for (const [name, look] of [
    ["friend-phone", { colorScheme: "light", viewport: PHONE_VIEWPORT, userAgent: IPHONE_AGENT }],
    ["friend-desktop", { colorScheme: "dark", viewport: DESKTOP_VIEWPORT }],
  ] as const) {
    const page = await openPage(browser, baseURL, { ...look, bypassCSP: true });
    await page.goto(`/r/${metacode}`);
    await page.addStyleTag({ content: BUNDLED_FONT });
    await expectPicture(page, name);
    await page.context().close();
  }
});

function skipOtherBrowsers(browser: Browser): void {
  test.skip(browser.version().split(".")[0] !== MAJOR, `The pictures were drawn by Chromium ${MAJOR}`);
}

async function openPage(browser: Browser, baseURL: string | undefined, look: object): Promise<Page> {
  const context = await browser.newContext({
    baseURL: baseURL ?? "",
    viewport: DESKTOP_VIEWPORT,
    reducedMotion: "reduce",
    timezoneId: "UTC",
    ...look,
  });
  return context.newPage();
}

/** Compares the page with its stored picture. With a palette, pictures are a third as large. */
async function expectPicture(page: Page, name: string, fullPage = false): Promise<void> {
  await page.waitForFunction(isReady);
  const mask = ["iframe", "img", ".qr", "input[type=email]"].map((selector) => page.locator(selector));
  let shot: Buffer = Buffer.alloc(0);
  // A page is at rest when two pictures are the same.
  await expect(async () => {
    const before = shot;
    await page.evaluate(freezeValues);
    shot = await page.screenshot({ animations: "disabled", caret: "hide", fullPage, mask });
    expect(shot.equals(before), `${name} is at rest`).toBe(true);
  }).toPass({ timeout: 60_000 });
  const picture = await sharp(shot).png({ palette: true, effort: 10 }).toBuffer();
  expect.soft(picture).toMatchSnapshot(`${name}.png`, { maxDiffPixels: TOLERATED });
}

/** Whether the fonts are there, and React has taken the page over: it would undo {@link freezeValues}. */
async function isReady(): Promise<boolean> {
  await document.fonts.ready;
  const own = Object.keys(document.querySelector("button") ?? {});
  return (
    !document.querySelector("script[src*='/_next/']") || own.some((key) => key.startsWith("__reactProps"))
  );
}

/** Replaces what differs in every run: ids, keys, metacodes, addresses and times. Runs in the browser. */
function freezeValues(): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    const text = node.textContent ?? "";
    if (!parent || parent.closest("script, style")) continue;
    if (parent.closest("time")) node.textContent = "1 Jan";
    else if (parent.closest("code, output, .font-mono, [data-testid]"))
      node.textContent = text.replace(/[a-z0-9]/gi, "x");
    else if (parent.closest("option")) node.textContent = "One of several";
    else if (parent.closest("bdi")) node.textContent = text.replace(/^[a-z0-9]{8}$/, "xxxxxxxx");
    else if (/@/.test(text)) node.textContent = "someone@example.com";
    else
      node.textContent = text.replace(/localhost:\d+/g, "localhost").replace(/Sample (?!app)\S+/, "Sample");
  }
}
