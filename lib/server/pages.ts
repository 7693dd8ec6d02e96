import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { log } from "@/lib/log";
import { pageRefusal, send } from "@/lib/server/refusal";

export type Pages = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/**
 * The framework behind the mounted routes. Its loading begins only with this call, so that the API answers first;
 * page requests wait for it, and get 503 where it cannot start.
 */
export function preparePages(options: { dev: boolean; hostname: string; port: number }): Pages {
  const handler = load(options);
  handler.catch((error: unknown) => log().error({ err: error }, "The pages cannot be served"));
  return async (incoming, outgoing) => {
    const handle = await handler.catch(() => undefined);
    if (!handle) return send(outgoing, pageRefusal(503, { "Retry-After": "5" }));
    await handle(incoming, outgoing);
  };
}

async function load(options: { dev: boolean; hostname: string; port: number }) {
  const { default: next } = await import("next");
  // With its first page the framework takes over every upgrade of the server it finds, and closes it or lets it hang,
  // where the guard has an answer. So it is given a server that never listens.
  const app = next({ ...options, dir: process.cwd(), httpServer: createServer() });
  await app.prepare();
  return app.getRequestHandler();
}
