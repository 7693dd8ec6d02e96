import type { Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { createHttpServer, drainable } from "@/lib/web/server/http-server";
import type { Site } from "@/lib/web/server/listener";
import { gated } from "@/lib/web/server/page-gate";
import type { Pages } from "@/lib/web/server/pages";
import type { RouteMatch, RouteTable } from "@/lib/web/server/table";

export interface ServeOptions {
  table: RouteTable;
  /** Answers below /api when no route matches. */
  unknown?: RouteMatch;
  /** The app whose own domain a Host header names, see `Site`. */
  appOfHost?: Site["appOfHost"];
  /** Loads Next; called once, after the port is open or for the first page request. */
  loadPages: () => Pages;
  host: string;
  port: number;
  /** Trusted proxies in front, see `TRUSTED_PROXIES`. */
  hops: number;
  /** Milliseconds between the 503 of readiness and the closed port, see `DRAIN_DELAY_MS`. */
  drainDelay?: number;
}

interface Serving {
  server: Server;
  /** Answers readiness with 503, closes the port after the delay and resolves when the running requests are answered. */
  drain: () => Promise<void>;
}

/**
 * Milliseconds. Loading Next blocks the process for half a second, so the API goes first (after `kill -9` under load
 * its first response comes a second earlier). An earlier page request loads Next at once.
 */
const PAGES_LATER = 1_000;

/** The one-line reason why the port could not be opened. */
export function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === "EADDRINUSE")
    return `Port ${port} is in use already: stop the other program or set PORT`;
  if (error.code === "EACCES") return `This user may not open port ${port}: set PORT`;
  return `Cannot listen on ${host}:${port}: ${error.message}`;
}

/** Opens the port of one web process: the API answers at once, pages as soon as Next has loaded. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { host, port } = options;
  let draining = false;
  let loaded: Pages | undefined;
  const pages = () => {
    loaded ??= gated(options.loadPages());
    return loaded;
  };
  const server = createHttpServer({
    ...options,
    draining: () => draining,
    pages: (incoming, outgoing) => pages()(incoming, outgoing),
  });
  const finish = drainable(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new Error(listenFailure(error, host, port))));
    server.listen(port, host, resolve);
  });
  setTimeout(pages, PAGES_LATER).unref();
  const drain = async () => {
    draining = true;
    // Load balancers notice the 503 of readiness and stop sending requests before the port closes.
    if (options.drainDelay) await pause(options.drainDelay);
    return finish();
  };
  return { server, drain };
}
