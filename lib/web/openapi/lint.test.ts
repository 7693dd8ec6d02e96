import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openApiDocument } from "./document";

const run = promisify(execFile);

/** Each linter with its arguments before the file. */
const LINTERS: Record<string, [string, string[]]> = {
  Redocly: [
    "@redocly/cli/bin/cli.js",
    ["lint", "--config", "redocly.yaml", "--max-problems", "1000", "--format", "json"],
  ],
  Spectral: [
    "@stoplight/spectral-cli/dist/index.js",
    ["lint", "--ruleset", ".spectral.yaml", "--fail-severity", "hint", "--format", "json"],
  ],
};

/** A public address, because the linters report an example address as an error. */
const APP_URL = "https://metacode.dev";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openapi-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** The rules that a document breaks in a linter's eyes, once for each problem. */
async function brokenRules(name: string, document: object): Promise<string[]> {
  const [script = "", args = []] = LINTERS[name] ?? [];
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(document));
  // Neither linter may send telemetry or check for updates.
  const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", NO_COLOR: "1" };
  const options = { env: { ...process.env, HOME: folder, ...quiet } };
  const command = run(process.execPath, [join("node_modules", script), ...args, file], options);
  const { stdout } = await command.catch((error: { stdout: string }) => error);
  const found = JSON.parse(stdout) as { problems: { ruleId: string }[] } | { code: string }[];
  return Array.isArray(found) ? found.map(({ code }) => code) : found.problems.map(({ ruleId }) => ruleId);
}

test.each(Object.keys(LINTERS))("%s finds a planted mistake and no other problem", async (name) => {
  const document = openApiDocument(APP_URL);
  const { paths } = document as { paths: Record<string, { post: object }> };
  paths["/referrer"] = { post: { ...paths["/referrer"]?.post, operationId: "claimRewards" } };
  expect(await brokenRules(name, document)).toEqual(["operation-operationId-unique"]);
});
