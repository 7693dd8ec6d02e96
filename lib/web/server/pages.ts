import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { log } from "@/lib/platform/log";
import { pageRefusal, sendRefusal } from "@/lib/web/server/refusal";

export type Pages = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/**
 * Next, behind the mounted routes. Loads it with this call and not before, so that the API answers first; page
 * requests wait for it, and get 503 when it cannot start.
 */
export function preparePages(options: { dev: boolean; hostname: string; port: number }): Pages {
  const handler = load(options);
  handler.catch((error: unknown) => log().error({ err: error }, "the pages cannot be served"));
  return async (incoming, outgoing) => {
    const handle = await handler.catch(() => undefined);
    if (!handle) return sendRefusal(outgoing, pageRefusal(503, { "Retry-After": "5" }));
    await handle(incoming, outgoing);
  };
}

async function load(options: { dev: boolean; hostname: string; port: number }) {
  const { default: next } = await import("next");
  // With its first page Next takes over the upgrade requests of the server that it finds, and closes them or lets them
  // hang; the guard answers them. So it gets a server that never listens.
  const app = next({ ...options, dir: process.cwd(), httpServer: createServer() });
  await app.prepare();
  return app.getRequestHandler();
}
