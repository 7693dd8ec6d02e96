import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import base, { test } from "../../../vitest.config";

/**
 * `npm run test:clients`: the tests of the guides' clients, which need tools that `npm test` does not install. Leaves out the
 * projects of the other config, because each of them includes the files of `npm test`.
 */
export default defineConfig({
  resolve: base.resolve ?? {},
  root: fileURLToPath(new URL("../../..", import.meta.url)),
  test: {
    ...test,
    globalSetup: ["lib/testing/database/global-setup.ts"],
    include: ["lib/testing/clients/*.clients.ts"],
    testTimeout: 900_000,
    fileParallelism: false,
  },
});
