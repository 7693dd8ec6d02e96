import { readdirSync } from "node:fs";
import { findChromium } from "@/lib/cli/chromium";
import { buildProduction } from "@/lib/cli/production";
import { type Count, checkStyle, checkTypes, FAILED, PASSED, runTool, runWithReport } from "@/lib/cli/step";
import { ensureRedis } from "@/lib/cli/system-packages";

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number };
}

const VITEST_REPORT = ".build/vitest.json";
const E2E_REPORT = ".build/e2e.json";

async function build(): Promise<Count> {
  await buildProduction();
  return PASSED;
}

async function unitAndDatabase(): Promise<Count> {
  await ensureRedis();
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${VITEST_REPORT}`];
  const env = { NODE_ENV: "test" };
  return runWithReport<VitestReport>(
    VITEST_REPORT,
    () => runTool("vitest/vitest.mjs", args, env),
    (report) => ({ passed: report.numPassedTests, failed: report.numFailedTests }),
  );
}

async function endToEnd(): Promise<Count> {
  if (!readdirSync("e2e").some((name) => name.endsWith(".spec.ts"))) return { passed: 0, failed: 0 };
  const env = { CHROMIUM_PATH: await findChromium(), PLAYWRIGHT_JSON_OUTPUT_NAME: E2E_REPORT };
  return runWithReport<PlaywrightReport>(
    E2E_REPORT,
    () => runTool("playwright/cli.js", ["test", "--reporter=list,json"], env),
    // A test that passes only on a retry has failed.
    ({ stats }) => ({ passed: stats.expected, failed: stats.unexpected + stats.flaky }),
  );
}

const STEPS: [name: string, run: () => Promise<Count>][] = [
  ["format and lint", checkStyle],
  ["types", checkTypes],
  ["production build", build],
  ["unit, database and API tests", unitAndDatabase],
  ["end to end in a browser", endToEnd],
];

const total: Count = { passed: 0, failed: 0 };
for (const [name, run] of STEPS) {
  console.log(`\n--- ${name}`);
  const { passed, failed } = await run().catch((error: Error) => {
    console.error(error.message);
    return FAILED;
  });
  total.passed += passed;
  total.failed += failed;
  console.log(`--- ${name}: ${passed} passed, ${failed} failed.`);
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 ? 1 : 0);
