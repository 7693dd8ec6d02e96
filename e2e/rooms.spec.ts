import { gzipSync } from "node:zlib";
import { expect, type Page, test } from "playwright/test";
import { liven } from "./parts/lively";
import { declaredRooms, findRooms } from "./parts/rooms";
import { cookiesOf } from "./parts/sign-in";
import { complaintsOf, DESKTOP, expectSound, PHONE } from "./parts/sound";

/** What a dashboard page may load of compressed script. */
const MAX_SCRIPT = 250 * 1024;

test.describe.configure({ mode: "serial" });

let cookies: Awaited<ReturnType<typeof cookiesOf>>;
let rooms: string[] = [];
/** The same rooms in states that no first link leads to. */
let views: string[] = [];

test.beforeAll(async ({ browser, baseURL, playwright }) => {
  const request = await playwright.request.newContext({ baseURL: baseURL ?? "" });
  views = await liven(request);
  await request.dispose();
  cookies = await cookiesOf(browser, baseURL);
});

test.beforeEach(({ context }) => context.addCookies(cookies));

test("every page of the dashboard is found by following links", async ({ page }) => {
  test.setTimeout(240_000);
  const found = await findRooms(page, ["/dashboard", "/dashboard/account", "/dashboard/workspaces/new"]);
  rooms = [...found.values()];
  expect([...found.keys()].sort()).toEqual(declaredRooms().sort());
});

for (const [device, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`every one of them is sound on a ${device} in ${colorScheme}`, async ({ page }) => {
      test.setTimeout(300_000);
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const complaints = complaintsOf(page);
      // A state is looked at in each width and in each colour, but not in all four: that costs minutes.
      const states = (device === "phone") === (colorScheme === "light") ? views : [];
      for (const path of [...rooms, ...states]) {
        await test.step(path, async () => {
          await page.goto(path);
          await expectSound(page, expect.soft);
          expect.soft(complaints.splice(0)).toEqual([]);
        });
      }
      expect(rooms.length).toBeGreaterThan(20);
      expect(views.length).toBeGreaterThan(20);
    });
  }
}

test("none of them loads more than 250 KB of compressed script", async ({ page }) => {
  test.setTimeout(120_000);
  const weights: Record<string, number> = {};
  for (const path of rooms) weights[path] = await scriptOf(page, path);
  const heavy = Object.entries(weights).filter(([, bytes]) => bytes > MAX_SCRIPT);
  expect(heavy).toEqual([]);
  expect(Math.min(...Object.values(weights))).toBeGreaterThan(10_000);
});

/** Bytes of all scripts that a page loads by itself, compressed. */
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
