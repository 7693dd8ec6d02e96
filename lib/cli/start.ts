import { join } from "node:path";
import { noteRunning } from "@/lib/cli/build-stamp";
import { bundle } from "@/lib/cli/bundle.mjs";
import { buildProduction } from "@/lib/cli/production";
import { serveProduction } from "@/lib/cli/serve";

const CHECK_EVERY_MS = 500;

/**
 * Ends this process once the package manager that runs it has been killed. npm forwards SIGTERM and Ctrl-C, but a
 * `kill -9` would leave the service behind, on the port and the data folder that the next start needs.
 */
function endWithPackageManager(): void {
  const parent = process.ppid;
  if (!process.env.npm_lifecycle_event || parent <= 1) return;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1);
  }, CHECK_EVERY_MS).unref();
}

endWithPackageManager();
const root = process.cwd();
// Bundled first, because the preparing process runs before the build does.
await bundle({ root, entry: join(root, "lib/cli/prepare.ts"), name: "server/prepare" });
await serveProduction(async () => {
  await noteRunning(root);
  await buildProduction(root);
});
