import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { defineConfig } from "playwright/test";

/**
 * The features that playwright disables, and further ones: Chromium reads the last `--disable-features` only. A new
 * version of playwright that keeps its list elsewhere ends the run here.
 */
function disableFeatures(...further: string[]): string {
  const bundle = createRequire(`${process.cwd()}/package.json`).resolve("playwright-core/lib/coreBundle");
  const [, list = ""] = /disabledFeatures = (\[[^\]]*\])/.exec(readFileSync(bundle, "utf8")) ?? [];
  const names = list.match(/(?<=")\w+(?=")/g);
  if (!names) throw new Error("playwright has no list of disabled features");
  return `--disable-features=${[...names, ...further].join(",")}`;
}

const executablePath = process.env.CHROMIUM_PATH;

/** Arguments for a quiet, offline Chromium that runs as root and in a container with little shared memory. */
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
  // A spare renderer for each navigation takes a fifteenth of Chromium's time.
  disableFeatures("SpareRendererForSitePerProcess"),
];

const CRASH = /crash\.spec\.ts$/;
const PAGES = /\/pages\.spec\.ts$/;
/** Long files, which start first: at the end, their tests would run one after the other while other workers idle. */
const LONG = /\/(tickets[\w-]*|versions)\.spec\.ts$/;

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  globalSetup: "./e2e/start-server.ts",
  // One more than the cores that are expected, because some tests wait for a round or a process. Four took a tenth longer.
  workers: 3,
  // Bounds for a machine that is busy with other work: on a quiet one no test takes a minute.
  timeout: 300_000,
  // Less than the time that a build server gives to a run.
  globalTimeout: 40 * 60_000,
  expect: { timeout: 60_000 },
  // `npm run screenshots` draws the stored pictures again; elsewhere a missing one is a failure.
  updateSnapshots: process.env.SCREENSHOTS ? "all" : "none",
  snapshotPathTemplate: "e2e/pictures/{arg}{ext}",
  fullyParallel: true,
  // The crash test measures how fast the service comes back, so nothing else runs beside it.
  projects: process.env.SCREENSHOTS
    ? [{ name: "screenshots", testMatch: /(screenshots|pictures\.spec)\.ts$/ }]
    : [
        { name: "crawl", testMatch: /pages\.setup\.ts$/ },
        { name: "long", testMatch: LONG },
        { name: "service", testIgnore: [CRASH, PAGES, LONG] },
        { name: "pages", testMatch: PAGES, dependencies: ["crawl"] },
        { name: "crash", testMatch: CRASH, dependencies: ["long", "service", "pages"] },
      ],
  forbidOnly: Boolean(process.env.CI),
  use: {
    // Without a graphics card, fading takes a tenth of the processor's time.
    contextOptions: { reducedMotion: "reduce" },
    baseURL: process.env.E2E_BASE_URL ?? "",
    launchOptions: { args, ...(executablePath && { executablePath }) },
  },
});
