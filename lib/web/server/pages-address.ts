import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { freePort } from "@/lib/platform/embedded-postgres/address";

const PORT = /^\d+$/;

/** The connection options of an address that {@link choosePagesAddress} returned. */
export function connectionTo(address: string): { socketPath: string } | { host: string; port: number } {
  return PORT.test(address) ? { host: "127.0.0.1", port: Number(address) } : { socketPath: address };
}

/**
 * The address of the pages process: a socket in a folder that only this user can read, or a loopback port where the system
 * has no Unix sockets or the path is too long for one.
 */
export async function choosePagesAddress(): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), "metacode-")), "pages.sock");
  if (await canListen(path)) return path;
  removePagesAddress(path);
  return String(await freePort());
}

async function canListen(path: string): Promise<boolean> {
  const probe = createServer();
  // A primary of a cluster binds the path itself, as the pages process does.
  const failed = once(probe.listen({ path, exclusive: true }), "listening").then(
    () => false,
    () => true,
  );
  if (await failed) return false;
  await new Promise((resolve) => probe.close(resolve));
  return true;
}

/** Removes the folder of the socket; synchronously, because a process does so as it exits. */
export function removePagesAddress(address: string): void {
  if (!PORT.test(address)) rmSync(dirname(address), { recursive: true, force: true });
}
