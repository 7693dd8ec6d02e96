#!/usr/bin/env node
// The entry point of a release: `node server.js [command] [arguments]`. Needs nothing but Node.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import env from "@next/env";

const root = dirname(fileURLToPath(import.meta.url));
const [, , command = "start", ...rest] = process.argv;
const file = join(root, ".build/release", `${command}.mjs`);

function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

// As in `run.mjs`: an older Node would migrate the database before its processes fail.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (!(major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)))
  stop(`Metacode needs Node.js 20.19+ or 22.12+; this is ${process.versions.node}.`);
if (!/^[a-z-]+$/.test(command) || !existsSync(file)) stop(`Unknown command: ${command}`);
process.chdir(root);
process.env.NEXT_TELEMETRY_DISABLED = "1";
// For messages that name a command: a release has no npm.
process.env.METACODE_COMMAND = "node server.js";
env.loadEnvConfig(root, false, { info() {}, error: (...words) => stop(words.join(" ")) });
process.argv = [process.execPath, file, ...rest];
process.setSourceMapsEnabled(true);
await import(pathToFileURL(file).href);
