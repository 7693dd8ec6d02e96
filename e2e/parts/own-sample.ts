import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { test } from "playwright/test";
import type { Sample } from "@/lib/demo/build";
import { cookiesOf } from "./sign-in";

/** A workspace that no other test touches: where figures are compared exactly. */
export async function ownSample(...options: string[]): Promise<Sample> {
  const env = { ...process.env, DATA_DIR: process.env.E2E_DATA_DIR ?? "", APP_URL: "" };
  const command = ["lib/cli/run.mjs", "sample", "--json", ...options];
  const { stdout } = await promisify(execFile)(process.execPath, command, { env });
  return JSON.parse(stdout) as Sample;
}

/**
 * A workspace of a file's own, whose owner is signed in in each of its tests, which run one after the other. Call at the
 * top of the file.
 */
export function withOwnSample(...options: string[]): { readonly current: Sample } {
  const own = {} as { current: Sample };
  let cookies: Awaited<ReturnType<typeof cookiesOf>>;
  test.describe.configure({ mode: "serial" });
  test.beforeAll(async ({ browser, baseURL }) => {
    own.current = await ownSample(...options);
    cookies = await cookiesOf(browser, baseURL, own.current.owner);
  });
  test.beforeEach(({ context }) => context.addCookies(cookies));
  return own;
}
