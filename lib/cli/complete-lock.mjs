// Adds optional packages of other platforms, which the configured registry may lack, to package-lock.json. Without
// them `npm ci` stops with EUSAGE. Run after each change of dependencies: node lib/cli/complete-lock.mjs
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SYSTEMS = ["android", "darwin", "freebsd", "linux", "openbsd", "netbsd", "sunos", "win32", "aix"];
const PROCESSORS = ["arm64", "x64", "arm", "ia32", "ppc64", "riscv64", "s390x", "wasm32"];

/** A placeholder for a package that this registry does not have: enough for npm to skip it on other platforms. */
function placeholder(name, version, parent) {
  const parts = name.split("/").at(-1).split("-");
  const os = parts.filter((part) => SYSTEMS.includes(part));
  const cpu = parts.filter((part) => PROCESSORS.includes(part));
  return {
    version,
    ...(cpu.length > 0 ? { cpu } : {}),
    ...(parent.dev ? { dev: true } : {}),
    optional: true,
    ...(os.length > 0 ? { os } : {}),
    ...(parent.engines ? { engines: parent.engines } : {}),
  };
}

/** The paths at which Node looks a package up, nearest folder first. */
function lookupPaths(from, name) {
  const parts = from === "" ? [] : from.split(/(?<=^|\/)node_modules\//).filter(Boolean);
  return parts
    .map(
      (_, index) =>
        `${parts
          .slice(0, parts.length - index)
          .map((part) => `node_modules/${part.replace(/\/$/, "")}`)
          .join("/")}/`,
    )
    .concat("")
    .map((folder) => `${folder}node_modules/${name}`);
}

/** Returns the lock with every missing exact optional dependency, and their names. */
function completeLock(lock) {
  const packages = { ...lock.packages };
  const added = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const known = lookupPaths(path, name).some((candidate) => candidate in packages);
      if (known || !/^\d/.test(version)) continue;
      packages[`node_modules/${name}`] = placeholder(name, version, entry);
      added.push(`${name}@${version}`);
    }
  }
  const sorted = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { lock: { ...lock, packages: sorted }, added };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = new URL("../../package-lock.json", import.meta.url);
  const { lock, added } = completeLock(JSON.parse(readFileSync(file, "utf8")));
  if (added.length > 0) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(added.length > 0 ? `Added ${added.join(", ")}` : "The lock file is complete");
}
