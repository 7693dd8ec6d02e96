import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    include: ["lib/**/*.test.ts", "app/**/*.test.ts", "components/**/*.test.ts"],
    globalSetup: ["lib/testing/database/global-setup.ts"],
    // A process for each file: what a file sets in its environment or its singletons ends with it.
    pool: "forks",
    maxWorkers: 2,
    // Seals the secrets that tests store.
    env: {
      AUTH_SECRET: "a secret of the tests, 32 characters",
      // On a busy machine, requests that a test sends at the same time wait longer for a connection.
      DATABASE_WAIT_MS: "20000",
    },
    // Bounds for a machine that is busy with other work: on a quiet one no test takes a minute.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
