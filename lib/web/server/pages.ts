import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { log } from "@/lib/platform/log";
import { withActionRun } from "@/lib/web/http/action-run";
import { pagesAwayRefusal, sendRefusal } from "@/lib/web/server/refusal";

/** Answers a page request. `body` is the request's if it has been read already. */
export type PageHandler = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  body?: Buffer,
) => Promise<void>;

interface FrameworkPages {
  pages: PageHandler;
  /** Rejects when the framework cannot start. */
  loaded: Promise<unknown>;
}

/** Loads Next. Page requests wait for it, and get 503 when it cannot start. */
export function preparePages(options: { dev: boolean; hostname: string; port: number }): FrameworkPages {
  const handler = load(options);
  handler.catch((error: unknown) => log().error({ err: error }, "the pages cannot be served"));
  const pages: PageHandler = async (incoming, outgoing) => {
    const handle = await handler.catch(() => undefined);
    if (!handle) return sendRefusal(outgoing, pagesAwayRefusal(incoming));
    await handle(incoming, outgoing);
  };
  return { pages: checkingActions(pages), loaded: handler };
}

async function load(options: { dev: boolean; hostname: string; port: number }) {
  const { default: next } = await import("next");
  // With its first page Next takes over the upgrade requests of the server that it finds, and closes them or lets them
  // hang; the guard answers them. So it gets a server that never listens.
  const app = next({ ...options, dir: process.cwd(), httpServer: createServer() });
  await app.prepare();
  return app.getRequestHandler();
}

/**
 * Turns the response to a server action that could not be read into 400: Next answers a malformed body with 500, as if
 * the action had failed, and a body of another type with the page. A form of a browser without scripts names no action.
 */
function checkingActions(pages: PageHandler): PageHandler {
  return (incoming, outgoing) => {
    const { "next-action": action, "content-type": type } = incoming.headers;
    const form = type?.startsWith("multipart/form-data");
    if (incoming.method !== "POST" || (action === undefined && !form)) return pages(incoming, outgoing);
    const run = { began: false };
    const writeHead = outgoing.writeHead.bind(outgoing);
    outgoing.writeHead = ((status: number, ...rest: never[]) => {
      const malformed = !run.began && (status >= 500 || (status < 300 && action !== undefined));
      return writeHead(malformed ? 400 : status, ...rest);
    }) as typeof outgoing.writeHead;
    return withActionRun(run, () => pages(incoming, outgoing));
  };
}
