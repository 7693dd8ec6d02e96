import { findProgram, runProgram } from "@/lib/cli/step";

let refreshed = false;

/** Installs a Debian package if this process has the permission, and returns whether it is installed. */
export async function installPackage(name: string): Promise<boolean> {
  if (process.getuid?.() !== 0 || !(await findProgram("apt-get"))) return false;
  process.stderr.write(`Installing ${name} ...\n`);
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  if (!refreshed) refreshed = await runProgram("apt-get", ["update", "-qq"], env);
  return runProgram("apt-get", ["install", "-qq", "-y", "--no-install-recommends", name], env);
}

/** Installs Redis for its tests; without it they are skipped, with the reason. */
export async function ensureRedis(): Promise<void> {
  if (await findProgram("redis-server")) return;
  // The package starts a service, but every test starts its own.
  if (await installPackage("redis-server")) await runProgram("service", ["redis-server", "stop"]);
  else process.stderr.write("redis-server is missing and cannot be installed here: its tests are skipped.\n");
}

/** Packages of Debian by the program that the drill starts. */
const PACKAGES: Record<string, string> = {
  etcd: "etcd-server",
  patroni: "patroni",
  haproxy: "haproxy",
  pgbouncer: "pgbouncer",
  "redis-server": "redis-server",
  "redis-sentinel": "redis-sentinel",
  postgres: "postgresql",
};

/** The programs of the drill. */
export const PROGRAMS = Object.keys(PACKAGES);

/** The line that says how to install the programs that were not found; undefined when there are none. */
export function missingPrograms(found: Record<string, string | undefined>): string | undefined {
  const missing = PROGRAMS.filter((program) => !found[program]);
  if (missing.length === 0) return undefined;
  const packages = missing.map((program) => PACKAGES[program]).join(" ");
  return `The drill needs ${missing.join(", ")}: apt-get install --no-install-recommends ${packages}`;
}

/** The newest folder of PostgreSQL's programs among those of Debian, such as `/usr/lib/postgresql/17/bin`. */
export function newestPrograms(versions: string[]): string | undefined {
  const [newest] = versions.filter((name) => /^\d+$/.test(name)).sort((a, b) => Number(b) - Number(a));
  return newest && `/usr/lib/postgresql/${newest}/bin`;
}
