import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { Redis } from "ioredis";
import { freePort } from "@/lib/platform/embedded-postgres/address";
import { needing } from "@/lib/testing/needing";

/** A separate real redis-server, empty and without persistence. */
export interface TestRedis {
  url: string;
  port: number;
  /** Stops answering while every connection stays open, as a hung machine does. */
  pause(): void;
  resume(): void;
  /** Runs one command over a separate connection. */
  command(name: string, ...args: string[]): Promise<unknown>;
  stop(): Promise<void>;
}

/** The path of the server's program, or of Sentinel's; undefined if this machine has none. */
export function redisBinary(name: "redis-server" | "redis-sentinel" = "redis-server"): string | undefined {
  const folders = [
    ...(process.env.PATH ?? "").split(delimiter),
    "/usr/bin",
    "/usr/local/bin",
    "/opt/homebrew/bin",
  ];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** The name of a suite that needs a redis-server, with the reason if it is skipped. */
export function needingRedis(name: string): string {
  return needing(name, redisBinary(), "no redis-server on this machine");
}

/** Starts a server on `port`, by default a free one, and waits until it accepts connections. */
export async function startRedis(port?: number): Promise<TestRedis> {
  const binary = redisBinary();
  if (!binary) throw new Error("No redis-server on this machine");
  const chosen = port ?? (await freePort());
  const folder = await mkdtemp(join(tmpdir(), "metacode-redis-"));
  const options = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder];
  const child = spawn(binary, ["--port", String(chosen), ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await ready(child);
  return {
    url: `redis://127.0.0.1:${chosen}`,
    port: chosen,
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    command: (name, ...args) => runOnce(chosen, name, args),
    stop: async () => {
      await ended(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Starts one Sentinel, whose single vote replaces the primary on a port, under the name `metacode`. Needs its program. */
export async function startSentinel(primary: number): Promise<Pick<TestRedis, "port" | "command" | "stop">> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "metacode-sentinel-"));
  const lines = [
    `port ${port}`,
    "bind 127.0.0.1",
    `sentinel monitor metacode 127.0.0.1 ${primary} 1`,
    "sentinel down-after-milliseconds metacode 5000",
    "sentinel failover-timeout metacode 2000",
  ];
  await writeFile(join(folder, "sentinel.conf"), `${lines.join("\n")}\n`);
  const child = spawn(redisBinary("redis-sentinel") ?? "", [join(folder, "sentinel.conf")], {
    stdio: "ignore",
  });
  return {
    port,
    command: (name, ...args) => runOnce(port, name, args),
    stop: async () => {
      await ended(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function runOnce(port: number, name: string, args: string[]): Promise<unknown> {
  const client = new Redis(port, "127.0.0.1");
  try {
    return await client.call(name, ...args);
  } finally {
    client.disconnect();
  }
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      if (chunk.toString().includes("Ready to accept connections")) resolve();
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`redis-server ended with ${code}`)));
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await exit;
}

/** A server that accepts every connection and never responds. */
export async function startSilentServer(): Promise<{ port: number; stop(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
