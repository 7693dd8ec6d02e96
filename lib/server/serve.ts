import type { Server } from "node:http";
import { drainable } from "@/lib/server/drain";
import { createHttpServer } from "@/lib/server/http";
import type { Site } from "@/lib/server/listener";
import type { Pages } from "@/lib/server/pages";
import type { Match, Table } from "@/lib/server/table";

export interface ServeOptions {
  table: Table;
  /** Answers what no route does below /api. */
  unknown?: Match;
  /** The app whose own domain a Host header names, see `Site`. */
  appOfHost?: Site["appOfHost"];
  /** Loads the framework; called once, when the port is open or the first page is asked for. */
  loadPages: () => Pages;
  host: string;
  port: number;
  /** Proxies of ours in front, see `TRUSTED_PROXIES`. */
  hops: number;
}

interface Serving {
  server: Server;
  /** Closes the port, says 503 for readiness and resolves when the running requests are answered. */
  drain: () => Promise<void>;
}

/**
 * Loading the framework holds up everything for half a second, so the API has its first word (after `kill -9` under
 * load: first answer a second earlier). A page that is asked for before loads it at once.
 */
const PAGES_LATER = 1_000;

/** The system's words for a port in use and the like, in one line. */
export function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === "EADDRINUSE")
    return `Port ${port} is in use already: stop the other program or set PORT`;
  if (error.code === "EACCES") return `Port ${port} needs more rights than this user has: set PORT`;
  return `Cannot listen on ${host}:${port}: ${error.message}`;
}

/** Opens the port of one web process: the API answers at once, the pages when the framework has loaded. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { host, port } = options;
  let draining = false;
  let loaded: Pages | undefined;
  const pages = () => {
    loaded ??= options.loadPages();
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
  const drain = () => {
    draining = true;
    return finish();
  };
  return { server, drain };
}
