// Installs the dependencies when node_modules does not belong to the present lock file.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const STAMP = "node_modules/.metacode-lock";

function lockHash(root) {
  const hash = createHash("sha256").update(process.platform + process.arch);
  for (const name of ["package.json", "package-lock.json"]) hash.update(readFileSync(join(root, name)));
  return hash.digest("hex");
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

/**
 * Brings node_modules in line with package-lock.json; the lock itself never changes. Throws an `Error` with npm's
 * own message when neither way of installing works.
 */
export async function install(root) {
  const wanted = lockHash(root);
  const stamp = join(root, STAMP);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  process.stderr.write("Installing the dependencies (first start, or the lock file changed) ...\n");
  let result = await npm(root, ["ci", ...COMMON]);
  // EUSAGE: the lock misses other platforms' optional packages that this registry does not have.
  if (result.code !== 0 && /EUSAGE|can only install/.test(result.output)) {
    result = await npm(root, ["install", "--no-save", ...COMMON]);
  }
  if (result.code !== 0) throw new Error(`npm could not install the dependencies:\n${result.output.trim()}`);
  writeFileSync(stamp, wanted);
}
