import { gzipSync } from "node:zlib";
import { expect, type Page, test } from "playwright/test";
import { expectSoundPages, inParts } from "@/e2e/parts/page-checks";
import { storedPages } from "@/e2e/parts/pages";
import { cookiesOf, type SessionCookie } from "@/e2e/parts/sign-in";

/** The limit of a dashboard page's compressed scripts in bytes. */
const MAX_SCRIPT = 250 * 1024;

/** Number of parts of the test, so that none takes a minute. */
const PARTS = 6;

let cookies: SessionCookie[];

test.beforeAll(async () => {
  cookies = await cookiesOf();
});

test.beforeEach(({ context }) => context.addCookies(cookies));

for (let part = 0; part < PARTS; part++) {
  test(`every page is sound in every form and light on script, part ${part + 1}`, async ({ page }) => {
    const { paths, views } = await storedPages();
    const own = inParts([...paths, ...views], PARTS)[part] ?? [];
    expect(own.length).toBeGreaterThan(5);
    for (const path of own) {
      const scripts = collectScripts(page);
      await expectSoundPages(page, [path]);
      const bytes = await compressedSize(page, scripts);
      expect.soft(bytes, path).toBeGreaterThan(10_000);
      expect.soft(bytes, path).toBeLessThan(MAX_SCRIPT);
    }
  });
}

/** The addresses of all scripts that a page loads without a click, in a set that grows. */
function collectScripts(page: Page): Set<string> {
  const scripts = new Set<string>();
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.add(request.url());
  });
  return scripts;
}

/** Compressed bytes by address, cached because pages share most of their scripts. */
const sizes = new Map<string, number>();

async function compressedSize(page: Page, scripts: Set<string>): Promise<number> {
  let sum = 0;
  for (const url of scripts) {
    const size = sizes.get(url) ?? gzipSync(await (await page.request.get(url)).body()).length;
    sizes.set(url, size);
    sum += size;
  }
  return sum;
}
