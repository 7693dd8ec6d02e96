import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, relative } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { getChromium } from "@/lib/cli/chromium";
import {
  build,
  type Count,
  checkStyle,
  FAILED,
  readArguments,
  runProgram,
  runTool,
  runWithReport,
  typesAndBuild,
} from "@/lib/cli/step";
import { ensureRedis } from "@/lib/cli/system-packages";
import { engines } from "@/package.json";

interface VitestReport {
  numPassedTests: number;
  numPendingTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[]; duration?: number }[];
  }[];
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs: PlaywrightSpec[];
}

interface PlaywrightSpec {
  title: string;
  file: string;
  ok: boolean;
  tests: { results: { errors: { message?: string }[]; duration: number }[] }[];
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: PlaywrightSuite[];
}

const VITEST_REPORT = ".build/vitest.json";
const E2E_REPORT = ".build/e2e.json";
/** Warnings and errors of the server that the browser tests use. */
const E2E_SERVER_LOG = ".build/e2e-server.log";

const REASON_CHARS = 2000;

function vitestFailures({ testResults }: VitestReport): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(".", name);
    const failed = assertionResults.filter((result) => result.status === "failed");
    // A file whose set-up fails has no failed test: its tests are missing or skipped, and the reason is in the file's message.
    if (status === "failed" && failed.length === 0) return [`${file}\n${message.slice(0, REASON_CHARS)}`];
    return failed.map(
      ({ fullName, failureMessages }) =>
        `${file} › ${fullName}\n${failureMessages.join("\n").slice(0, REASON_CHARS)}`,
    );
  });
}

function playwrightFailures({ suites = [], specs }: PlaywrightSuite): string[] {
  const own = specs
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests }) => {
      const errors = tests.flatMap(({ results }) => results).flatMap((result) => result.errors);
      const reason = stripVTControlCharacters(errors.map(({ message }) => message).join("\n"));
      return `${file} › ${title}\n${reason.slice(0, REASON_CHARS)}`;
    });
  return [...own, ...suites.flatMap(playwrightFailures)];
}

const SLOW_MS = 60_000;

/** A line for a test that took more than a minute. */
const slowLine = (file: string, title: string, ms = 0): string[] =>
  ms > SLOW_MS ? [`SLOW ${file} › ${title}: ${Math.round(ms / 1_000)} s`] : [];

/** The slow tests, and the skipped ones, whose names say why. Playwright's own output lists the tests that it skips. */
const vitestNotes = ({ testResults }: VitestReport): string[] =>
  testResults.flatMap(({ name, assertionResults }) => {
    const file = relative(".", name);
    return assertionResults.flatMap(({ status, fullName, duration }) =>
      status === "skipped" || status === "pending"
        ? [`SKIPPED ${file} › ${fullName}`]
        : slowLine(file, fullName, duration),
    );
  });

function playwrightSlow({ suites = [], specs }: PlaywrightSuite): string[] {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests.flatMap(({ results }) => results).flatMap(({ duration }) => slowLine(file, title, duration)),
  );
  return [...own, ...suites.flatMap(playwrightSlow)];
}

const LAST_LINES = 40;

/** The end of a log; empty if there is none. */
function lastLines(file: string): string[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return [`The last lines of ${file}:`, ...lines.slice(-LAST_LINES)];
}

/** Platforms for which npm has every version of Node as a package. */
const PACKAGED = ["linux-x64", "linux-arm64"];

const platform = `${process.platform}-${process.arch}`;

/** The oldest Node that `engines` promises; undefined where it is not available. */
async function findOldestNode(): Promise<string | undefined> {
  const version = `${/\d+\.\d+/.exec(engines.node)?.[0]}.0`;
  if (process.versions.node === version) return process.execPath;
  const args = ["exec", "--yes", `--package=node-${platform}@${version}`, "--"];
  const found = PACKAGED.includes(platform)
    ? await promisify(execFile)("npm", [...args, "node", "--print", "process.execPath"]).catch(
        (error: Error) => error,
      )
    : new Error(`npm has no Node for ${platform}`);
  if (!(found instanceof Error)) {
    console.log(`Node ${version}, the oldest that is promised, builds and serves.`);
    return found.stdout.trim();
  }
  console.log(
    `Node ${process.versions.node} builds and serves, because ${version} is not available: ${found.message}`,
  );
  return undefined;
}

/** The suites of `npm run test:citus`: everything that talks to the database of a service. */
const CITUS_SUITES = [
  ...["db", "idempotency", "jobs", "secrets"].map((folder) => `lib/platform/${folder}/`),
  ...["tenants", "program", "outward", "web"].map((layer) => `lib/${layer}/`),
];

async function unitAndDatabase(folders: string[] = []): Promise<Count> {
  await ensureRedis();
  const reporters = ["default", "json", "./lib/testing/stalled-files.ts"].map((name) => `--reporter=${name}`);
  const args = ["run", ...folders, ...reporters, `--outputFile.json=${VITEST_REPORT}`];
  const env = { NODE_ENV: "test" };
  return runWithReport<VitestReport>(
    VITEST_REPORT,
    () => runTool("vitest/vitest.mjs", args, env),
    (report) => {
      const failures = vitestFailures(report);
      const { numPassedTests: passed, numPendingTests: skipped } = report;
      return { passed, failed: failures.length, failures, skipped, notes: vitestNotes(report) };
    },
  );
}

async function endToEnd(node: string, options: string[] = []): Promise<Count> {
  const env = {
    CHROMIUM_PATH: await getChromium(),
    PLAYWRIGHT_JSON_OUTPUT_NAME: E2E_REPORT,
    // `npm start` of the crash test runs the Node of this path; with another Node it would build again.
    PATH: [dirname(node), process.env.PATH].join(delimiter),
  };
  return runWithReport<PlaywrightReport>(
    E2E_REPORT,
    () =>
      runProgram(node, ["node_modules/playwright/cli.js", "test", "--reporter=list,json", ...options], env),
    // A test that passes only on a retry has failed.
    ({ stats, suites }) => ({
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky,
      failures: suites.flatMap(playwrightFailures),
      skipped: stats.skipped,
      notes: [
        ...suites.flatMap(playwrightSlow),
        // A failed page shows only the identifier of its error.
        ...(stats.unexpected > 0 ? lastLines(E2E_SERVER_LOG) : []),
      ],
    }),
  );
}

const { values: given } = readArguments({ options: { citus: { type: "boolean", default: false } } });
// Downloaded while the format is checked.
const oldest = findOldestNode();
const node = oldest.then((path) => path ?? process.execPath);

const STEPS: [name: string, run: () => Promise<Count>][] = [
  ["format and lint", checkStyle],
  ["types and production build", async () => typesAndBuild(await node)],
  ["unit, database and API tests", () => unitAndDatabase()],
  ["end to end in a browser", async () => endToEnd(await node)],
];

/** With `--citus`: the suites that use a database and the crash test, on the cluster whose coordinator `CITUS_URL` names. */
const CITUS_STEPS: typeof STEPS = [
  ["production build", async () => build(await node)],
  ["unit, database and API tests on the cluster", () => unitAndDatabase(CITUS_SUITES)],
  ["crash test on the cluster", async () => endToEnd(await node, ["--project=crash", "--no-deps"])],
];

const onCluster = given.citus;
if (onCluster && !process.env.CITUS_URL) {
  console.error(
    "CITUS_URL is not set: give the address of the coordinator of a Citus cluster with at least one worker",
  );
  process.exit(1);
}
if (!onCluster) delete process.env.CITUS_URL;

const total = { passed: 0, failed: 0, skipped: 0, failures: [] as string[] };
for (const [name, run] of onCluster ? CITUS_STEPS : STEPS) {
  console.log(`\n--- ${name}`);
  const started = performance.now();
  const {
    passed,
    failed,
    failures,
    skipped = 0,
    notes = [],
  } = await run().catch((error: Error): Count => {
    console.error(error.message);
    return FAILED;
  });
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  total.failures.push(...(failures ?? (failed > 0 ? [name] : [])));
  const seconds = Math.round((performance.now() - started) / 1_000);
  for (const line of notes) console.log(line);
  console.log(`--- ${name}: ${passed} passed, ${failed} failed, in ${seconds} s.`);
}
// CI has a registry, from which it installed the packages. Without the oldest Node, the promise to support it is untested.
if (!(await oldest) && process.env.CI && PACKAGED.includes(platform)) {
  total.failed += 1;
  total.failures.push("the oldest Node that is promised is not available, see the lines before the build");
}
// Repeated at the end, because the output is long and the first failure is far up.
for (const failure of total.failures) console.log(`\nFAILED ${failure}`);
if (total.skipped > 0) console.log(`\n${total.skipped} skipped, see the lines above.`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 ? 1 : 0);
