import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Sample } from "@/lib/demo/build";

/** A workspace that no other test touches: where figures are compared exactly. */
export async function ownSample(...options: string[]): Promise<Sample> {
  const env = { ...process.env, DATA_DIR: process.env.E2E_DATA_DIR ?? "", APP_URL: "" };
  const command = ["lib/cli/run.mjs", "sample", "--json", ...options];
  const { stdout } = await promisify(execFile)(process.execPath, command, { env });
  return JSON.parse(stdout) as Sample;
}
