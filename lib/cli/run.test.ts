import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryFolder } from "@/lib/testing/folder";
import { bundleForChild } from "@/lib/testing/processes/child";

const ID = "01900000-0000-7000-8000-000000000000";

test.each([
  [
    "bench",
    ["--only", "lists,nope"],
    /^--only takes parts of the benchmark: endpoints, .*first-start; not nope$/,
  ],
  ["chaos", ["--nope"], /^Unknown option '--nope'/],
  ["chaos", ["--minutes", "abc"], /^--minutes and --seed must be numbers$/],
  ["lighthouse", ["--nope"], /^Unknown option '--nope'/],
  ["lighthouse", ["nowhere", "x y"], /^No public page has nowhere or x y in its path or name$/],
  ["test", ["--nope"], /^Unknown option '--nope'/],
  ["test", ["lib/cli"], /^Unexpected argument 'lib\/cli'/],
  ["screenshots", ["--nope"], /^Unknown option '--nope'/],
  ["distribute", ["--dry-run"], /^Unknown option '--dry-run'/],
  [
    "plan",
    [ID, "enterprise", "--quota", "-1"],
    /^Option '--quota' argument is ambiguous\. .*'--quota=-XYZ'\.$/,
  ],
])("%s with the wrong arguments %j ends with one line before it does anything", async (name, args, line) => {
  const file = await bundleForChild(`lib/cli/${name}.ts`);
  const env = { ...process.env, DATABASE_URL: "postgres://127.0.0.1:1/none" };
  const run = promisify(execFile)(process.execPath, [file, ...args], { env, timeout: 60_000 });
  const stderr = expect.stringMatching(/^[^\n]+\n$/);
  const failure: unknown = await run.catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 1, stdout: "", stderr });
  expect(Object(failure).stderr.trim()).toMatch(line);
});

test("chaos that fails in its work, here without sources, ends with the stack of the error", async () => {
  const file = await bundleForChild("lib/cli/chaos.ts");
  const run = promisify(execFile)(process.execPath, [file], {
    cwd: await temporaryFolder(),
    timeout: 20_000,
  });
  const failure: unknown = await run.catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 1, stderr: expect.stringMatching(/\n {4}at .*:\d+:\d+/) });
});
