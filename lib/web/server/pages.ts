import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { log } from "@/lib/platform/log";
import { withActionRun } from "@/lib/web/http/action-run";
import { pageRefusal, pagesAwayRefusal, replaceResponse, sendRefusal } from "@/lib/web/server/refusal";

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
  return { pages: correcting(pages), loaded: handler };
}

async function load(options: { dev: boolean; hostname: string; port: number }) {
  const { default: next } = await import("next");
  // With its first page Next takes over the upgrade requests of its server, and closes them or lets them hang. The guard
  // answers them instead, so Next gets a server that never listens.
  const app = next({ ...options, dir: process.cwd(), httpServer: createServer() });
  await app.prepare();
  return app.getRequestHandler();
}

/**
 * Corrects the framework's responses. An unreadable server action gets a plain 400 instead of 500 for a malformed body, or
 * the page for a body of another type; without scripts, a form names no action and is known by its multipart type. A page
 * that fails because the database is away gets 503 and a time to retry.
 */
export function correcting(pages: PageHandler): PageHandler {
  return (incoming, outgoing, body) => {
    const { "next-action": action, "content-type": type } = incoming.headers;
    const form = action !== undefined || type?.startsWith("multipart/form-data");
    const run = { began: incoming.method !== "POST" || !form, outage: false };
    replaceResponse(outgoing, (status) => {
      if (status >= 500 && run.outage) return "away";
      const malformed = !run.began && (status >= 500 || (status < 300 && action !== undefined));
      return malformed ? pageRefusal(400) : undefined;
    });
    return withActionRun(run, () => pages(incoming, outgoing, body));
  };
}
