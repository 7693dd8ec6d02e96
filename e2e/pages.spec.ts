import { gzipSync } from "node:zlib";
import { expect, type Page, test } from "playwright/test";
import { expectSoundInEveryForm, inParts } from "@/e2e/parts/page-checks";
import { storedPages } from "@/e2e/parts/pages";
import { cookiesOf } from "@/e2e/parts/sign-in";

/** The limit of a dashboard page's compressed scripts in bytes. */
const MAX_SCRIPT = 250 * 1024;

/** So many parts that none takes a minute. */
const PARTS = 6;

let cookies: Awaited<ReturnType<typeof cookiesOf>>;

test.beforeAll(async ({ browser, baseURL }) => {
  cookies = await cookiesOf(browser, baseURL);
});

test.beforeEach(({ context }) => context.addCookies(cookies));

for (let part = 0; part < PARTS; part++) {
  test(`every page is sound in every form, part ${part + 1}`, async ({ page }) => {
    const { paths, views } = await storedPages();
    const own = inParts([...paths, ...views], PARTS)[part] ?? [];
    expect(own.length).toBeGreaterThan(5);
    for (const path of own) await expectSoundInEveryForm(page, path);
  });
}

test("no page loads more than 250 KB of compressed script", async ({ page }) => {
  const { paths } = await storedPages();
  const weights: Record<string, number> = {};
  for (const path of paths) weights[path] = await scriptOf(page, path);
  const heavy = Object.entries(weights).filter(([, bytes]) => bytes > MAX_SCRIPT);
  expect(heavy).toEqual([]);
  expect(Math.min(...Object.values(weights))).toBeGreaterThan(10_000);
});

/** The compressed bytes of all scripts that a page loads by itself. */
async function scriptOf(page: Page, path: string): Promise<number> {
  const bodies: Promise<Buffer>[] = [];
  const take = (response: { request(): { resourceType(): string }; body(): Promise<Buffer> }) => {
    if (response.request().resourceType() === "script") bodies.push(response.body());
  };
  page.on("response", take);
  await page.goto(path, { waitUntil: "networkidle" });
  page.off("response", take);
  const loaded = await Promise.all(bodies);
  return loaded.reduce((sum, body) => sum + gzipSync(body).length, 0);
}
