import type { Server } from "node:http";
import { createHttpServer } from "@/lib/server/http";
import type { Site } from "@/lib/server/listener";
import { preparePages } from "@/lib/server/pages";
import type { Match, Table } from "@/lib/server/table";

export interface ServeOptions {
  table: Table;
  unknown: Match | undefined;
  host: string;
  port: number;
  hops: number;
  dev: boolean;
}

export interface Serving {
  server: Server;
  /** From now on answers close their connections and readiness is 503. */
  beginDraining(): void;
}

/** The system's words for a port in use and the like, in one line. */
export function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === "EADDRINUSE")
    return `Port ${port} is in use already: stop the other program or set PORT`;
  if (error.code === "EACCES") return `Port ${port} needs more rights than this user has: set PORT`;
  return `Cannot listen on ${host}:${port}: ${error.message}`;
}

/** Starts one web process: the API as soon as the port is open, the pages when the framework has loaded. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { host: hostname, port, dev } = options;
  let draining = false;
  let pages: Site["pages"] | undefined;
  const site: Site = {
    ...options,
    draining: () => draining,
    pages: (incoming, outgoing) => {
      pages ??= preparePages({ dev, hostname, port });
      return pages(incoming, outgoing);
    },
  };
  const server = createHttpServer(site);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new Error(listenFailure(error, hostname, port))));
    server.listen(port, hostname, resolve);
  });
  setImmediate(() => {
    pages ??= preparePages({ dev, hostname, port });
  });
  const beginDraining = () => {
    draining = true;
  };
  return { server, beginDraining };
}
