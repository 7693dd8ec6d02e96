import { readFileSync } from "node:fs";
import { type Browser, expect, type Page, test } from "playwright/test";
import sharp from "sharp";
import type { SampleWorkspace } from "@/lib/cli/sample-workspace/build";
import { dailyStats } from "@/lib/platform/db/schema";
import { IPHONE_AGENT } from "@/lib/testing/user-agents";
import { callApi } from "./parts/api";
import { inDatabase } from "./parts/database";
import { DESKTOP_VIEWPORT, PHONE_VIEWPORT, reloadUntilVisible } from "./parts/page-checks";
import { makeSample } from "./parts/samples";
import { cookiesOf, type SessionCookie } from "./parts/sign-in";

/** The major version of `@sparticuz/chromium` that drew the stored pictures; another version draws letters differently. */
const MAJOR = "143";

/** Pixels of a million that may differ. A button that changes its colour has three thousand. */
const TOLERATED = 500;

/** Screens of the dashboard, below the app unless they begin with a slash; `:workspace` stands for its id. */
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
  team: "/dashboard/workspaces/:workspace",
  plan: "/dashboard/workspaces/:workspace/plan",
  landing: "landing",
} as const;

const PUBLIC = {
  "sign-in": "/sign-in",
  "sign-up": "/sign-up",
  "not-found": "/no-such-page",
  front: "/",
} as const;

/** Half of the screens are dark. */
const DARK = "campaigns codes referrers keys domain rules workspace team sign-in not-found".split(" ");

/** The landing page uses the system's font, so its pictures replace it with a font from a package. */
const NOTO = readFileSync(
  "node_modules/@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff2",
  "base64",
);
const BUNDLED_FONT = `@font-face{font-family:Bundled;src:url(data:font/woff2;base64,${NOTO})}*{font-family:Bundled!important}`;

let own: SampleWorkspace;
let cookies: SessionCookie[];

test.beforeAll(async () => {
  own = await makeSample({ live: true, codes: 20 });
  cookies = await cookiesOf(own.owner);
});

test.describe.configure({ mode: "serial" });

test("the pictures belong to the installed Chromium", () => {
  const { version } = JSON.parse(readFileSync("node_modules/@sparticuz/chromium/package.json", "utf8"));
  // After an upgrade: change MAJOR, run `npm run screenshots`, and look at the new pictures.
  expect(version.split(".")[0]).toBe(MAJOR);
});

test("screens look as they are stored", async ({ browser, baseURL }) => {
  skipOtherBrowsers(browser);
  const page = await openPage(browser, baseURL, {});
  for (const [name, path] of Object.entries({ ...PUBLIC, ...SCREENS })) {
    if (name in SCREENS) await page.context().addCookies(cookies);
    await page.emulateMedia({ colorScheme: DARK.includes(name) ? "dark" : "light" });
    const below = path.startsWith("/") ? path : `/dashboard/apps/${own.app_id}/${path}`;
    await page.goto(below.replace(":workspace", own.workspace_id));
    await expectPicture(page, name);
  }
  await page.context().close();
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
    const suffix = name === "parts-light" ? "" : name.replace("parts", "");
    await page.getByRole("button", { name: "Other actions" }).click();
    await expect(page.getByRole("menu")).toBeVisible();
    await expectPicture(page, `parts-menu${suffix}`);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Delete app" }).click();
    await expectPicture(page, `parts-dialog${suffix}`);
    await page.context().close();
  }
});

test("the overview and the page of a person look as they are stored", async ({
  browser,
  baseURL,
  request,
}) => {
  skipOtherBrowsers(browser);
  // Enough codes that no pool is low, because the check that reports it may run before or after the picture.
  const busy = await makeSample({ live: true, codes: 2_000 });
  await storeFigures(busy);
  const made = await callApi(request, busy.api_key, "referrer", { uid: "anna", metadata: { name: "Anna" } });
  const { metacode } = await made.json();
  for (const referee_uid of ["ben", "cleo"]) {
    await callApi(request, busy.api_key, "referee-redeem", { referee_uid, metacode, platform: "ios" });
  }
  const signedIn = await cookiesOf(busy.owner);
  for (const [name, path, look] of [
    ["overview", "", { colorScheme: "light", viewport: DESKTOP_VIEWPORT }],
    ["overview-dark", "", { colorScheme: "dark", viewport: DESKTOP_VIEWPORT }],
    ["overview-phone", "", { colorScheme: "light", viewport: PHONE_VIEWPORT }],
    ["person", "/people?uid=ben", { colorScheme: "light", viewport: DESKTOP_VIEWPORT }],
    ["person-phone", "/people?uid=ben", { colorScheme: "dark", viewport: PHONE_VIEWPORT }],
  ] as const) {
    const page = await openPage(browser, baseURL, look);
    await page.context().addCookies(signedIn);
    await page.goto(`/dashboard/apps/${busy.app_id}${path}`);
    // Requests are stored a second after their response.
    if (path) await reloadUntilVisible(page, page.getByText("/referee-redeem").first());
    await expectPicture(page, name, true);
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

/** Figures of the last 60 days, so that the curves of every run are the same. */
async function storeFigures({ app_id: appId, campaign_id: campaignId }: SampleWorkspace): Promise<void> {
  const rows = Array.from({ length: 60 }, (_, ago) => {
    const assigned = 9 + ((60 - ago) % 7) + Math.floor((60 - ago) / 6);
    const day = new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    const confirmed = Math.floor(assigned / 2);
    const rewards = { earned: Math.floor(confirmed / 3), claimed: Math.floor(confirmed / 4) };
    return { appId, campaignId, platform: "ios" as const, day, assigned, confirmed, ...rewards };
  });
  const clicks = rows.map(({ day, assigned }) => {
    return { appId, campaignId, platform: "any" as const, day, clicked: 2 * assigned };
  });
  await inDatabase((db) => db.orm.insert(dailyStats).values([...rows, ...clicks]));
}

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

/** Compares the page with its stored picture. A colour palette, which takes a second to compute, cuts pictures to a third. */
async function expectPicture(page: Page, name: string, fullPage = false): Promise<void> {
  await page.waitForFunction(isReady);
  const usage = "section[aria-label='Requests this month']";
  const masked = ["iframe", "img", ".qr", "input[type=email]", usage];
  const mask = masked.map((selector) => page.locator(selector));
  let shot: Buffer = Buffer.alloc(0);
  // A page is at rest when two successive pictures are the same.
  await expect(async () => {
    const before = shot;
    await page.evaluate(freezeValues);
    shot = await page.screenshot({ animations: "disabled", caret: "hide", fullPage, mask });
    expect(shot.equals(before), `${name} is at rest`).toBe(true);
  }).toPass({ timeout: 60_000 });
  const stored = process.env.SCREENSHOTS !== undefined;
  const picture = stored ? await sharp(shot).png({ palette: true, effort: 10 }).toBuffer() : shot;
  expect.soft(picture).toMatchSnapshot(`${name}.png`, { maxDiffPixels: TOLERATED });
}

/** Whether the fonts are loaded and the page is hydrated; hydration would undo {@link freezeValues}. */
async function isReady(): Promise<boolean> {
  await document.fonts.ready;
  const own = Object.keys(document.querySelector("button") ?? {});
  return (
    !document.querySelector("script[src*='/_next/']") || own.some((key) => key.startsWith("__reactProps"))
  );
}

/** Replaces values that differ in every run: ids, keys, metacodes, addresses and times. Runs in the browser. */
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
    // A new pool's pace depends on the time of day, and may take one line or two.
    else if (/ per day$/.test(parent.closest("p")?.textContent ?? "")) node.textContent = "x";
    else if (parent.closest("bdi")) node.textContent = text.replace(/^[a-z0-9]{8}$/, "xxxxxxxx");
    else if (/@/.test(text)) node.textContent = "someone@example.com";
    else
      node.textContent = text
        .replace(/localhost:\d+/g, "localhost")
        .replace(/Sample (?!app)\S+/, "Sample")
        .replace(/Typed \S+/, "Typed xxxxxxxx")
        .replace(/\b\d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*( \d{4})?/g, "1 Jan")
        .replace(/\((in \d+ \w+|tomorrow|today)\)/, "(soon)");
  }
}
