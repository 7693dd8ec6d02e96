import { mkdir } from "node:fs/promises";
import { and, eq } from "drizzle-orm";
import { test } from "playwright/test";
import sharp from "sharp";
import { DESKTOP_VIEWPORT, PHONE_VIEWPORT } from "@/e2e/parts/page-checks";
import { crawlPages } from "@/e2e/parts/pages";
import { seedReferrals, seedSampleApp } from "@/e2e/seed/sample-app";
import { seedStatistics } from "@/e2e/seed/statistics";
import { apps, campaigns, pools, workspaces } from "@/lib/platform/db/schema";
import { callApi } from "./parts/api";
import { inDatabase } from "./parts/database";
import { cookiesOf } from "./parts/sign-in";
import { sample } from "./sample";

/** The folder of the screenshots, which git ignores. */
const FOLDER = "screenshots";

// In sequence, because the sample app can be filled only once.
test.describe.configure({ mode: "serial" });

test.beforeAll(async ({ request }) => {
  await nameLikeCustomer();
  await seedReferrals(request);
  await seedStatistics();
});

/** Gives the sample the names of a customer, and a campaign and pools that are older than its figures. */
function nameLikeCustomer(): Promise<void> {
  const { workspace_id, app_id, campaign_id } = sample();
  const begin = new Date(Date.now() - 75 * 86_400_000);
  return inDatabase(async ({ orm }) => {
    await orm.update(workspaces).set({ name: "Tidal Labs" }).where(eq(workspaces.id, workspace_id));
    await orm.update(apps).set({ name: "Tidal Sleep" }).where(eq(apps.id, app_id));
    await orm
      .update(campaigns)
      .set({ activatedAt: begin })
      .where(and(eq(campaigns.appId, app_id), eq(campaigns.id, campaign_id)));
    await orm.update(pools).set({ createdAt: begin }).where(eq(pools.appId, app_id));
  });
}

/** Makes the sample app live, or a sandbox again, because only a sandbox accepts the purchases of the seeds. */
const setSandbox = (sandbox: boolean) =>
  inDatabase(({ orm }) => orm.update(apps).set({ sandbox }).where(eq(apps.id, sample().app_id)));

/** The folder of the front page's pictures, which belong to the repository. */
const PRODUCT = "public/product";

test("the pictures of the front page", async ({ browser, baseURL, request }) => {
  const { api_key, app_id } = sample();
  const referrer = await callApi(request, api_key, "referrer", {
    uid: "picture",
    metadata: { name: "Anna" },
  });
  const { metacode } = (await referrer.json()) as { metacode: string };
  const shots = [
    {
      name: "overview",
      path: `/dashboard/apps/${app_id}`,
      width: 1440,
      height: 900,
      deviceScaleFactor: 1,
      files: { "": 1440, "-760": 760 },
    },
    {
      name: "landing",
      path: `/r/${metacode}`,
      width: 390,
      height: 756,
      deviceScaleFactor: 2,
      files: { "": 640, "-420": 420 },
    },
  ];
  const cookies = await cookiesOf();
  await setSandbox(false);
  for (const colorScheme of ["light", "dark"] as const) {
    for (const { name, path, width, height, deviceScaleFactor, files } of shots) {
      const look = {
        viewport: { width, height },
        colorScheme,
        deviceScaleFactor,
        reducedMotion: "reduce",
      } as const;
      const context = await browser.newContext({ baseURL: baseURL ?? "", ...look });
      await context.addCookies(cookies);
      const page = await context.newPage();
      await page.goto(path, { waitUntil: "load" });
      await page.getByRole("heading").first().waitFor();
      const png = await page.screenshot();
      await mkdir(PRODUCT, { recursive: true });
      for (const [suffix, pixels] of Object.entries(files)) {
        await sharp(png)
          .resize({ width: pixels })
          .webp({ quality: 82 })
          .toFile(`${PRODUCT}/${name}-${colorScheme}${suffix}.webp`);
      }
      await context.close();
    }
  }
  await setSandbox(true);
});

test("screenshots of every dashboard page", async ({ browser, baseURL, request }) => {
  test.setTimeout(900_000);
  // After the pictures of the front page, which show an app without problems.
  const views = await seedSampleApp(request);
  const cookies = await cookiesOf();
  const newPage = async (options: object) => {
    const context = await browser.newContext({ baseURL: baseURL ?? "", reducedMotion: "reduce", ...options });
    await context.addCookies(cookies);
    return context.newPage();
  };
  const pages = await crawlPages((await newPage({})).request, ["/dashboard", "/dashboard/account"]);
  for (const [device, viewport] of Object.entries({ desktop: DESKTOP_VIEWPORT, phone: PHONE_VIEWPORT })) {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await newPage({ viewport, colorScheme, deviceScaleFactor: 2 });
      for (const [pattern, path] of [...pages, ...views.map(nameState)]) {
        // Waiting for an idle network would hang on pages that poll.
        await page.goto(path, { waitUntil: "load" });
        const name = pattern.slice(1).replaceAll("[]", "one").replaceAll("/", "-");
        await page.screenshot({ path: `${FOLDER}/${name}-${device}-${colorScheme}.png`, fullPage: true });
      }
      await page.context().close();
    }
  }
});

/** A file name for a further state of a page, by its index: ids differ in every run. */
function nameState(path: string, index: number): [name: string, path: string] {
  const page = path.split("/").slice(4, 6).join("-");
  return [`/${page.replace(/[?-].*$/, "")}-state-${index + 1}`, path];
}
