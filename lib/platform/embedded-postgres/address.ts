import { realpath } from "node:fs/promises";
import { createServer } from "node:net";
import { clusterFolder, OWNER, readPassword } from "@/lib/platform/embedded-postgres/initialize";
import { processStart, readPidFile } from "@/lib/platform/embedded-postgres/process";

const ATTEMPTS = 200;

/**
 * The preferred port of the loopback address if it is free, else another one below the range of outgoing connections: a
 * client that retries against a server that is down could otherwise take its port.
 */
export async function freePort(wanted?: number): Promise<number> {
  if (wanted && (await isFree(wanted))) return wanted;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = 15_000 + Math.floor(Math.random() * 17_000);
    if (await isFree(port)) return port;
  }
  throw new Error("There is no free port on 127.0.0.1");
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Connection string of an embedded server. */
export function serverUrl(port: number, password: string): string {
  return `postgres://${OWNER}:${password}@127.0.0.1:${port}/${OWNER}`;
}

/**
 * Connection string of the server that currently runs on a data folder, started by any process; `undefined` if
 * there is none. For commands beside a running service.
 */
export async function runningPostgres(dataDir: string): Promise<string | undefined> {
  const folder = await realpath(dataDir).catch(() => undefined);
  if (!folder) return undefined;
  const file = await readPidFile(clusterFolder(folder));
  if (!file?.ready || !(await processStart(file.pid))) return undefined;
  const password = await readPassword(folder);
  return password && serverUrl(file.port, password);
}
