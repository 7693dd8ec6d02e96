import { runTool } from "@/lib/cli/step";

/** `npm run test:clients`: compiles the guides' clients with the tools of this machine and exposes them to faults. */
const fine = await runTool("vitest/vitest.mjs", ["run", "--config", "lib/testing/clients/vitest.config.ts"], {
  NODE_ENV: "test",
});
process.exit(fine ? 0 : 1);
