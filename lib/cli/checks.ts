import { type Count, FAILED, PASSED, runsTool } from "@/lib/cli/step";

const toCount = (fine: boolean): Count => (fine ? PASSED : FAILED);

/** Format, lint and the order of imports. */
export async function checkStyle(): Promise<Count> {
  return toCount(await runsTool("@biomejs/biome/bin/biome", ["check", "--error-on-warnings", "."]));
}

/** The types of every file, tests and tools among them. */
export async function checkTypes(): Promise<Count> {
  return toCount(await runsTool("typescript/bin/tsc", ["-p", ".", "--noEmit"]));
}
