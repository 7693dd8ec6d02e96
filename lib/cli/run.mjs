// `node lib/cli/run.mjs <command> [arguments]`: the entry point of every package script. Plain JavaScript without
// dependencies, because it runs before anything is installed. Progress goes to standard error only.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { install } from "./install.mjs";

/** The commands that need the packages of `devDependencies`; `lib/cli/install.test.ts` finds others that do. */
const WITH_TOOLS = /^(bench|chaos|check|drill|lighthouse|screenshots|test|test-clients)$/;
const root = resolve(fileURLToPath(new URL("../..", import.meta.url)));

function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** The build uses `require` for ES modules, which Node 21 and the first releases of Node 22 cannot do. */
function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return;
  stop(`Metacode needs Node.js 20.19+ or 22.12+; this is ${process.versions.node}.`);
}

/**
 * Reads `.env` as the framework does, for commands with settings; existing environment variables take precedence.
 */
async function loadDotEnv(command) {
  if (command === "test" || command === "check") return;
  const { default: env } = await import("@next/env");
  env.loadEnvConfig(root, command === "dev", { info() {}, error: (...words) => stop(words.join(" ")) });
}

async function main([command, ...rest]) {
  checkNode();
  const entry = join(root, "lib/cli", `${command}.ts`);
  if (!/^[a-z-]+$/.test(command ?? "") || !existsSync(entry)) stop(`Unknown command: ${command ?? "(none)"}`);
  process.chdir(root);
  process.env.NEXT_TELEMETRY_DISABLED = "1";
  await install(root, { tools: WITH_TOOLS.test(command) });
  await loadDotEnv(command);
  const { bundle } = await import("./bundle.mjs");
  const file = await bundle({ root, entry, name: `cli/${command}` });
  process.argv = [process.execPath, entry, ...rest];
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(file).href);
}

main(process.argv.slice(2)).catch((error) => stop(error?.message ?? String(error)));
