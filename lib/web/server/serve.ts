import type { Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { createHttpServer, drainable } from "@/lib/web/server/http-server";
import type { Site } from "@/lib/web/server/listener";
import { gated } from "@/lib/web/server/page-gate";

export interface ServeOptions extends Omit<Site, "draining"> {
  host: string;
  port: number;
  /** Milliseconds between the 503 of readiness and the closed port, see `DRAIN_DELAY_MS`. */
  drainDelay?: number;
}

interface Serving {
  server: Server;
  /** Answers readiness with 503, closes the port after the delay and resolves when the running requests are answered. */
  drain: () => Promise<void>;
}

/** Why the port could not be opened, in one line. */
export function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === "EADDRINUSE")
    return `Port ${port} is already in use: stop the other program or set PORT`;
  if (error.code === "EACCES") return `This user may not open port ${port}: set PORT`;
  return `Cannot listen on ${host}:${port}: ${error.message}`;
}

/** Opens the port of one web process. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { host, port, drainDelay } = options;
  let draining = false;
  const server = createHttpServer({ ...options, draining: () => draining, pages: gated(options.pages) });
  const finish = drainable(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new Error(listenFailure(error, host, port))));
    server.listen(port, host, resolve);
  });
  const drain = async () => {
    draining = true;
    // Load balancers notice the 503 of readiness and send nothing more before the port closes.
    if (drainDelay) await pause(drainDelay);
    return finish();
  };
  return { server, drain };
}
