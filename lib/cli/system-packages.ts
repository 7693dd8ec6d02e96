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
