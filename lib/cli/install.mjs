// Installs the dependencies when node_modules does not belong to the current lock file.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** npm's own record of what is in node_modules, written when an installation is complete. */
const RECORD = "node_modules/.package-lock.json";

function packagesOf(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).packages : {};
}

/** Whether every package of the lock that this use needs is installed in its version. */
function isInstalled(root, tools) {
  const installed = packagesOf(join(root, RECORD));
  return Object.entries(packagesOf(join(root, "package-lock.json"))).every(([path, entry]) => {
    // Optional packages belong to other platforms, or are missing from this registry.
    if (path === "" || entry.optional || entry.devOptional || (entry.dev && !tools)) return true;
    return path in installed && installed[path].version === entry.version;
  });
}

/** Runs npm and resolves to its exit code and everything it wrote. */
function npm(root, args) {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, NODE_ENV: "development", NEXT_TELEMETRY_DISABLED: "1" };
    const options = {
      cwd: root,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
    };
    const child = spawn("npm", args, options);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output }));
  });
}

const COMMON = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];

/** Adds the tools to the installed packages; `npm ci` would first remove packages that a running service may be using. */
function addTools(root) {
  process.stderr.write("Installing the tools for tests (first use) ...\n");
  return npm(root, ["install", "--no-save", "--include=dev", ...COMMON]);
}

async function installAll(root, tools) {
  process.stderr.write("Installing the dependencies (first start, or the lock file changed) ...\n");
  const which = tools ? "--include=dev" : "--omit=dev";
  const result = await npm(root, ["ci", which, ...COMMON]);
  if (result.code === 0 || !/EUSAGE|can only install/.test(result.output)) return result;
  // EUSAGE: the lock misses other platforms' optional packages that this registry does not have.
  return npm(root, ["install", "--no-save", which, ...COMMON]);
}

/** A source map beside a script or a stylesheet of a package. */
const SOURCE_MAP = /\.(?:[cm]?[jt]s|css)\.map$/;

/**
 * Removes the source maps of packages, a fifth of node_modules that only a debugger of those packages reads. Leaves a linked
 * folder alone, because other projects may use it.
 */
async function removeSourceMaps(root) {
  const folder = join(root, "node_modules");
  if ((await lstat(folder)).isSymbolicLink()) return;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const maps = entries.filter((entry) => entry.isFile() && SOURCE_MAP.test(entry.name));
  await Promise.all(maps.map((entry) => rm(join(entry.parentPath, entry.name), { force: true })));
}

/**
 * Brings node_modules in line with package-lock.json; the lock itself never changes. Packages for tests and benchmarks
 * are installed with `tools` only, and then stay. Throws an `Error` with npm's own message when no way of installing
 * works.
 * @param {string} root
 * @param {{ tools: boolean }} options
 */
export async function install(root, { tools }) {
  if (isInstalled(root, tools)) return;
  const result = tools && isInstalled(root, false) ? await addTools(root) : await installAll(root, tools);
  if (result.code !== 0) throw new Error(`npm could not install the dependencies:\n${result.output.trim()}`);
  // The installation succeeded, whether or not its maps can be removed.
  if (!tools) await removeSourceMaps(root).catch(() => undefined);
}
