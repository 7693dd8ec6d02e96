import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openApiDocument } from "./document";

const run = promisify(execFile);

/** Each linter with its arguments before and after the file. */
const LINTERS: Record<string, [string, string[]]> = {
  Redocly: ["@redocly/cli/bin/cli.js", ["lint", "--config", "redocly.yaml", "--max-problems", "1000"]],
  Spectral: [
    "@stoplight/spectral-cli/dist/index.js",
    ["lint", "--ruleset", ".spectral.yaml", "--fail-severity", "hint"],
  ],
};

/** A public address, because the linters report an example address as an error. */
const APP_URL = "https://metacode.dev";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openapi-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** A linter's output for a document, and whether it passed. */
async function lint(name: string, document: object): Promise<{ content: boolean; says?: string }> {
  const [script = "", args = []] = LINTERS[name] ?? [];
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(document));
  // Neither linter may send telemetry or check for updates.
  const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", NO_COLOR: "1" };
  const options = { env: { ...process.env, HOME: folder, ...quiet } };
  const command = run(process.execPath, [join("node_modules", script), ...args, file], options);
  return command.then(
    () => ({ content: true }),
    ({ stdout, stderr }: { stdout?: string; stderr?: string }) => ({
      content: false,
      says: `${stdout}${stderr}`,
    }),
  );
}

test.each(Object.keys(LINTERS))("%s finds no problems", async (name) => {
  expect(await lint(name, openApiDocument(APP_URL))).toEqual({ content: true });
});

test.each(Object.keys(LINTERS))("%s would find a planted mistake", async (name) => {
  const document = openApiDocument(APP_URL);
  const { paths } = document as { paths: Record<string, { post: object }> };
  paths["/referrer"] = { post: { ...paths["/referrer"]?.post, operationId: "claimRewards" } };
  expect((await lint(name, document)).content).toBe(false);
});
