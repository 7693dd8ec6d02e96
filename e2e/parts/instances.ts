import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answers } from "@/e2e/start-server";
import { bundle } from "@/lib/cli/bundle.mjs";
import { copyBuild } from "@/lib/cli/release/assemble";
import { freePort } from "@/lib/platform/embedded-postgres/address";
import { e2eDatabaseUrl } from "./database";

/** Files and folders that an instance reads beside the build. */
const READ = [
  "docs",
  "drizzle",
  "lib",
  "next.config.mjs",
  "node_modules",
  "package.json",
  "public",
  ".build",
];

/** Several instances behind one address, like machines behind a load balancer. */
interface Balanced {
  base: string;
  /** The numbers of the instances that answer, in turn. */
  answering: (instances: number[]) => void;
  stop: () => Promise<void>;
}

/** Starts a copy of the build in its own folder, with settings; `change` turns it into another version. */
export async function startInstance(
  given: { APP_URL: string; [setting: string]: string },
  change?: (folder: string) => Promise<void>,
) {
  const root = process.cwd();
  const folder = await mkdtemp(join(tmpdir(), "metacode-instance-"));
  await copyBuild(root, folder);
  for (const name of READ) await symlink(join(root, name), join(folder, name));
  await mkdir(join(folder, "data"));
  await change?.(folder);
  const file = await bundle({
    root,
    entry: join(root, "lib/cli/start-release.ts"),
    name: "testing/start-release",
  });
  const port = await freePort();
  const own = {
    PORT: String(port),
    DATA_DIR: join(folder, "data"),
    DATABASE_URL: await e2eDatabaseUrl(),
  };
  const role = {
    HOST: "127.0.0.1",
    ROLE: "web",
    WEB_PROCESSES: "1",
    SAMPLE_WORKSPACE: "never",
    LOG_LEVEL: "error",
  };
  const env = { ...process.env, ...own, ...role, ...given, NODE_ENV: "production" } as const;
  const child: ChildProcess = spawn(process.execPath, [file], { cwd: folder, env, stdio: "ignore" });
  const stop = async () => {
    const ended = child.exitCode === null ? once(child, "exit") : undefined;
    child.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  return { port, stop, ready: () => answers(`http://127.0.0.1:${port}/api/ready`, child) };
}

function balancer(next: () => number): Server {
  return createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const upstream = request({ host: "127.0.0.1", port: next(), method, path: url, headers });
    upstream.once("response", (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
      response.pipe(outgoing);
    });
    upstream.once("error", () => outgoing.destroy());
    incoming.pipe(upstream);
  });
}

/** Starts this build twice, the second copy changed by `change`, behind one address that uses both in turn. */
export async function startTwo(change?: (folder: string) => Promise<void>): Promise<Balanced> {
  const port = await freePort();
  const base = `http://localhost:${port}`;
  const instances = [await startInstance({ APP_URL: base }), await startInstance({ APP_URL: base }, change)];
  let chosen = instances;
  let turn = 0;
  const server = balancer(() => chosen[turn++ % chosen.length]?.port ?? 0);
  const stop = async () => {
    server.close().closeAllConnections();
    await Promise.all(instances.map((instance) => instance.stop()));
  };
  try {
    await Promise.all(instances.map((instance) => instance.ready()));
    await once(server.listen(port, "localhost"), "listening");
  } catch (error) {
    await stop();
    throw error;
  }
  const answering = (numbers: number[]) => {
    chosen = instances.filter((_, index) => numbers.includes(index));
  };
  return { base, answering, stop };
}
