import { findProgram, runs } from "@/lib/cli/step";

let refreshed = false;

/** Installs a Debian package where we may; resolves to whether it is there now. */
export async function installPackage(name: string): Promise<boolean> {
  if (process.getuid?.() !== 0 || !(await findProgram("apt-get"))) return false;
  process.stderr.write(`Installing ${name} ...\n`);
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  if (!refreshed) refreshed = await runs("apt-get", ["update", "-qq"], env);
  return runs("apt-get", ["install", "-qq", "-y", "--no-install-recommends", name], env);
}

/** Redis for its tests; without it they skip themselves and say why. */
export async function ensureRedis(): Promise<void> {
  if (await findProgram("redis-server")) return;
  // The service that the package would start is not wanted: every test starts its own.
  if (await installPackage("redis-server")) await runs("service", ["redis-server", "stop"]);
  else process.stderr.write("redis-server is missing and cannot be installed here: its tests are skipped.\n");
}
