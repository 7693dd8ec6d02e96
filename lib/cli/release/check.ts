import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { walkLoop } from "@/lib/cli/release/walk";
import type { SampleWorkspace } from "@/lib/cli/sample-workspace/build";
import { freePort } from "@/lib/platform/embedded-postgres/address";

const run = promisify(execFile);

/** A user without rights. Only root can switch to it; any other user runs the check under their own account. */
const OTHER_USER = 65_534;
const AS_OTHER_USER = process.getuid?.() === 0 ? { uid: OTHER_USER, gid: OTHER_USER } : {};

const START_LIMIT_MS = 120_000;
/** Milliseconds after which the processes are idle. */
const IDLE_MS = 60_000;
const MB = 1_000_000;

interface Unpacked {
  /** The release, which its user cannot write. */
  folder: string;
  env: Record<string, string>;
  base: string;
}

/** Unpacks an archive as a package manager would: read-only, and owned by another user than the one who runs it. */
async function unpack(archive: string, name: string, place: string): Promise<Unpacked> {
  await chmod(place, 0o755);
  const data = join(place, "data");
  await mkdir(data);
  await run("tar", ["--extract", "--no-same-owner", "--file", archive, "--directory", place]);
  const folder = join(place, name);
  await run("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: folder });
  await run("chmod", ["--recursive", "a-w", folder]);
  if (AS_OTHER_USER.uid) await chown(data, AS_OTHER_USER.uid, AS_OTHER_USER.gid);
  const port = String(await freePort());
  const env = {
    // Hides every package manager and compiler.
    PATH: "",
    HOME: data,
    TMPDIR: data,
    DATA_DIR: join(data, "metacode"),
    HOST: "127.0.0.1",
    PORT: port,
    WEB_PROCESSES: "1",
    SAMPLE_WORKSPACE: "never",
    LOG_LEVEL: "error",
  };
  return { folder, env, base: `http://localhost:${port}` };
}

/** Starts the release and resolves with the milliseconds until it was ready. */
async function start({ folder, env, base }: Unpacked): Promise<{ child: ChildProcess; ms: number }> {
  const begin = performance.now();
  const options = { cwd: folder, env: env as NodeJS.ProcessEnv, ...AS_OTHER_USER };
  const child = spawn(process.execPath, ["server.js"], {
    ...options,
    stdio: ["ignore", 2, 2],
  });
  while (performance.now() - begin < START_LIMIT_MS) {
    if (child.exitCode !== null) throw new Error(`The release ended with ${child.exitCode}`);
    const response = await fetch(`${base}/api/ready`).catch(() => undefined);
    if (response?.ok) return { child, ms: performance.now() - begin };
    await pause(50);
  }
  await stop(child);
  throw new Error("The release does not become ready");
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

/** Resident megabytes of a process: its own, and those of program files, which all processes share. */
interface Resident {
  own: number;
  files: number;
}

async function residentMb(pid: number): Promise<Resident> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const read = (name: string) =>
    (Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024) / MB;
  return { own: read("RssAnon"), files: read("RssFile") };
}

/** Resident megabytes of the supervisor and its children, by the name of the bundle. */
async function memory(supervisor: number): Promise<Record<string, Resident>> {
  const found: Record<string, Resident> = { supervisor: await residentMb(supervisor) };
  const text = await readFile(`/proc/${supervisor}/task/${supervisor}/children`, "utf8");
  for (const pid of text.trim().split(" ")) {
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8");
    const name = /\/(worker|pages)\.mjs/.exec(command)?.[1];
    if (name) found[name === "worker" ? "web" : name] = await residentMb(Number(pid));
  }
  return found;
}

/** Bytes of a folder in megabytes. */
export async function sizeMb(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const { stat } = await import("node:fs/promises");
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0) / MB;
}

interface Findings {
  firstMs: number;
  againMs: number;
  /** After a minute without requests. */
  resident: Record<string, Resident>;
}

/**
 * Unpacks a release as another user in a read-only folder with its data elsewhere, walks the loop through it, backs it up,
 * and starts it a second time on the data of the first. Throws at the first failure.
 */
export async function checkRelease(archive: string, name: string): Promise<Findings> {
  const place = await mkdtemp(join(tmpdir(), "metacode-release-"));
  let child: ChildProcess | undefined;
  try {
    const unpacked = await unpack(archive, name, place);
    const first = await start(unpacked);
    child = first.child;
    const options = { cwd: unpacked.folder, env: unpacked.env as NodeJS.ProcessEnv, ...AS_OTHER_USER };
    const { stdout } = await run(
      process.execPath,
      ["server.js", "sample", "--json", "--codes", "20"],
      options,
    );
    await walkLoop(unpacked.base, JSON.parse(stdout) as SampleWorkspace);
    await run(process.execPath, ["server.js", "backup", join(place, "data/backup")], options);
    await stop(child);
    const again = await start(unpacked);
    child = again.child;
    await pause(IDLE_MS);
    const resident = await memory(child.pid ?? 0);
    return { firstMs: first.ms, againMs: again.ms, resident };
  } finally {
    if (child) await stop(child);
    await run("chmod", ["--recursive", "u+w", place]);
    await rm(place, { recursive: true, force: true });
  }
}
