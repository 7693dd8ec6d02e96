import { spawnSync } from "node:child_process";
import { relative } from "node:path";
import type { Reporter, TestCase, TestModule } from "vitest/node";

const WARN_MS = 3 * 60_000;
const LIMIT_MS = 20 * 60_000;
const LOOK_MS = 30_000;

interface Running {
  since: number;
  /** The test that began last. */
  test?: string;
  warned?: boolean;
}

/**
 * Names slow test files with the test that runs, and ends the run if a file never ends. Vitest's own time limits cannot
 * reach a test that blocks its process, or a file that waits while it loads.
 */
export default class StalledFiles implements Reporter {
  private readonly running = new Map<string, Running>();
  private timer?: NodeJS.Timeout;

  /** A process begins to load the file. */
  onTestModuleQueued({ moduleId }: TestModule): void {
    this.timer ??= setInterval(() => this.look(), LOOK_MS).unref();
    this.running.set(moduleId, { since: Date.now() });
  }

  onTestCaseReady({ module, fullName }: TestCase): void {
    const file = this.running.get(module.moduleId);
    if (file) file.test = fullName;
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    this.running.delete(moduleId);
  }

  onTestRunEnd(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    for (const [moduleId, file] of this.running) {
      const waited = Date.now() - file.since;
      const place = `${relative(".", moduleId)} › ${file.test ?? "loading or in its first test"}`;
      if (waited > LIMIT_MS) this.end(`FAILED ${place}: did not end within ${LIMIT_MS / 60_000} minutes`);
      if (waited > WARN_MS && !file.warned) {
        file.warned = true;
        process.stderr.write(
          `${place}: the file has been running for ${Math.round(waited / 60_000)} minutes\n`,
        );
      }
    }
  }

  private end(reason: string): never {
    process.stderr.write(`${reason}\n`);
    // A process that is blocked would outlive this one.
    spawnSync("pkill", ["-KILL", "-P", String(process.pid)]);
    process.exit(1);
  }
}
