import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { test } from "playwright/test";
import type { SampleWorkspace } from "@/lib/cli/sample-workspace/build";
import { cookiesOf } from "./sign-in";

/** Creates a workspace that no other test changes, for exact comparisons of figures. */
export async function makeSample(...options: string[]): Promise<SampleWorkspace> {
  const env = { ...process.env, DATA_DIR: process.env.E2E_DATA_DIR ?? "", APP_URL: "" };
  const command = ["lib/cli/run.mjs", "sample", "--json", ...options];
  const { stdout } = await promisify(execFile)(process.execPath, command, { env });
  return JSON.parse(stdout) as SampleWorkspace;
}

/**
 * Creates a workspace for a file and signs its owner in for each of its tests, which run one after the other. To be
 * called at the top of the file.
 */
export function withSample(...options: string[]): { readonly current: SampleWorkspace } {
  const own = {} as { current: SampleWorkspace };
  let cookies: Awaited<ReturnType<typeof cookiesOf>>;
  test.describe.configure({ mode: "serial" });
  test.beforeAll(async ({ browser, baseURL }) => {
    own.current = await makeSample(...options);
    cookies = await cookiesOf(browser, baseURL, own.current.owner);
  });
  test.beforeEach(({ context }) => context.addCookies(cookies));
  return own;
}
