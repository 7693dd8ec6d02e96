import { once } from "node:events";
import { rm } from "node:fs/promises";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { setPriority } from "node:os";
import { storablePath } from "@/lib/outward/request-log/path";
import { log } from "@/lib/platform/log";
import { addressToken, CLIENT_ADDRESS_HEADER } from "@/lib/web/http/client-address";
import { answerFromRoute } from "@/lib/web/server/api";
import { hasBrokenState } from "@/lib/web/server/guard";
import { drainable } from "@/lib/web/server/http-server";
import type { PageHandler } from "@/lib/web/server/pages";
import { connectionTo, removePagesAddress } from "@/lib/web/server/pages-address";
import { WARM_PATH } from "@/lib/web/server/readiness";
import { apiRefusal, pageRefusal, sendRefusal } from "@/lib/web/server/refusal";
import type { RouteTable } from "@/lib/web/server/table";
import { runWorker } from "@/lib/web/server/worker";

interface PagesProcess {
  /** Where the web processes find it, see `choosePagesAddress`. */
  address: string;
  /** Mounted routes that take milliseconds of an event loop. */
  heavy: RouteTable;
  pages: PageHandler;
  /** Called when the process can be reached; it is warm when the promise resolves. */
  warmUp: () => Promise<void>;
}

/** Priority (nice value) of this process, below the processes that answer the API, see docs/decisions/server.md. */
const PRIORITY = 7;

/** Runs the process that renders pages for the web processes, the only callers that it answers. */
export async function runPagesProcess(
  options: PagesProcess,
  background?: () => () => Promise<void>,
): Promise<void> {
  lowerPriority();
  // A service manager sends SIGTERM to every process; the web processes still need this one while they drain.
  process.on("SIGTERM", () => undefined);
  process.on("exit", () => {
    // A killed supervisor has not removed the address.
    if (!process.connected) removePagesAddress(options.address);
  });
  let warm = false;
  await runWorker(async () => {
    const finish = background?.();
    const server = createServer(
      // Connections last as long as the processes do; the web process has already enforced times and lengths.
      { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0, maxHeaderSize: 32 * 1024, noDelay: true },
      pagesListener(options, () => warm),
    );
    const drain = drainable(server);
    await listen(server, options.address);
    void options.warmUp().then(
      () => {
        warm = true;
      },
      (error: unknown) => {
        log().error({ err: error }, "the pages process does not become ready");
        // A process loads the framework only once, so the supervisor tries again with a new process.
        process.exit(1);
      },
    );
    return async () => {
      await drain();
      await finish?.();
    };
  });
}

/**
 * Sends what the framework prints on the console to the logger, which describes errors safely: a printed query error would
 * show the statement and its values.
 */
export function redirectConsole(): void {
  const to =
    (level: "error" | "warn") =>
    (...parts: unknown[]) => {
      const err = parts.find((part) => part instanceof Error) ?? parts.map(String).join(" ");
      log()[level]({ err }, "the framework reports an error");
    };
  Object.assign(globalThis.console, { error: to("error"), warn: to("warn") });
}

async function listen(server: Server, address: string): Promise<void> {
  const to = connectionTo(address);
  // A predecessor that was killed leaves its socket.
  if ("socketPath" in to) await rm(to.socketPath, { force: true });
  // A worker of a cluster would otherwise have the supervisor open it.
  server.listen({ ...("socketPath" in to ? { path: to.socketPath } : to), exclusive: true });
  await once(server, "listening");
}

function lowerPriority(): void {
  try {
    setPriority(PRIORITY);
  } catch (error) {
    log().warn({ err: error }, "the pages process runs with the priority of the others");
  }
}

/** Answers the requests that web processes forward, recognised by the token that all processes share. */
function pagesListener({ heavy, pages }: PagesProcess, isWarm: () => boolean): RequestListener {
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    if (!String(incoming.headers[CLIENT_ADDRESS_HEADER]).startsWith(addressToken()))
      return sendRefusal(outgoing, pageRefusal(403));
    if (incoming.url === WARM_PATH) return void outgoing.writeHead(isWarm() ? 204 : 503).end();
    if (hasBrokenState(incoming)) {
      sendRefusal(outgoing, pageRefusal(400));
      return void incoming.resume();
    }
    const match = heavy.find((incoming.url ?? "").split("?", 1)[0] ?? "");
    if (match) return answerFromRoute(incoming, outgoing, match);
    return pages(incoming, outgoing);
  };
  return (incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      // A path may be the secret itself, like the link in an email.
      const path = storablePath((incoming.url ?? "").split("?", 1)[0] ?? "");
      log().error({ err: error, path }, "a page failed before or after its handler");
      if (!outgoing.headersSent) sendRefusal(outgoing, apiRefusal("INTERNAL_ERROR"));
      else outgoing.destroy();
    });
  };
}
