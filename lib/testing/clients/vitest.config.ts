import { fileURLToPath } from "node:url";
import { mergeConfig } from "vitest/config";
import base from "../../../vitest.config";

/** `npm run test:clients`: the tests of the guides' clients, which need tools that `npm test` does not install. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  {
    root: fileURLToPath(new URL("../../..", import.meta.url)),
    test: { include: ["lib/testing/clients/*.clients.ts"], testTimeout: 900_000, fileParallelism: false },
  },
);
