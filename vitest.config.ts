import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const resolve = { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } };
const include = ["lib/**/*.test.ts", "components/**/*.test.ts"];

/** Test files that replace modules; in a shared process the modules would stay replaced for later files. */
const replacing = ["lib", "components"]
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  )
  .filter(
    (file) =>
      file.endsWith(".test.ts") && /\bvi\.(mock|doMock|resetModules)\(/.test(readFileSync(file, "utf8")),
  );

/** Small files that wait long, which start first: ordered by size, they would come last while the other workers idle. */
const WAITING = /\/(?:leases|kill|outage)\.test\.ts$/;

class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = ({ moduleId }: TestSpecification) => WAITING.test(moduleId);
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}

/** The settings of every project, and of the tests of the clients. */
export const test = {
  pool: "forks" as const,
  setupFiles: ["lib/testing/fresh-file.ts"],
  // Seals the secrets that tests store.
  env: {
    AUTH_SECRET: "a secret of the tests, 32 characters",
    // On a busy machine, concurrent requests of a test wait longer for a connection.
    DATABASE_WAIT_MS: "20000",
  },
  // Bounds for a machine that is busy with other work: on a quiet one no test takes a minute.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
};

export default defineConfig({
  resolve,
  test: {
    globalSetup: ["lib/testing/database/global-setup.ts"],
    // One more than the cores that are expected: many tests wait for a lease, a retry or a process.
    maxWorkers: 3,
    sequence: { sequencer: WaitingFirst },
    projects: [
      { resolve, test: { ...test, name: "shared", include, exclude: replacing, isolate: false } },
      { resolve, test: { ...test, name: "own", include: replacing } },
    ],
  },
});
