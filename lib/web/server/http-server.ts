import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Socket, Server as TcpServer } from "node:net";
import type { Duplex } from "node:stream";
import type { ErrorCode } from "@/lib/platform/errors";
import { requestListener, type Site } from "@/lib/web/server/listener";
import { apiRefusal, sendRawRefusal, sendRefusal } from "@/lib/web/server/refusal";

/** Milliseconds before a new connection from a flooding address is read, because parsing its requests delays everyone. */
const FLOOD_DELAY = 250;

/** Milliseconds for which an address counts as flooding, and the number of addresses that are remembered. */
const FLOOD_MEMORY = 10_000;
const FLOODING_ADDRESSES = 1_000;

/** Delays connections from flooding addresses; returns the function that marks a connection's address as flooding. */
function delayFloods(server: Server): (socket: Socket) => void {
  const until = new Map<string | undefined, number>();
  // Node's own listener; once it reads a socket, the socket can no longer be paused.
  const [read] = server.listeners("connection");
  server.removeAllListeners("connection").on("connection", (socket) => {
    if ((until.get(socket.remoteAddress) ?? 0) < performance.now()) return void read?.call(server, socket);
    socket.on("error", () => socket.destroy());
    setTimeout(() => socket.destroyed || read?.call(server, socket), FLOOD_DELAY);
  });
  return ({ remoteAddress }) => {
    if (until.size === FLOODING_ADDRESSES) until.clear();
    until.set(remoteAddress, performance.now() + FLOOD_MEMORY);
  };
}

/**
 * The HTTP server with its limits: 16 KiB of headers within 15 s; a whole upload within 5 minutes (all other
 * bodies within 15 s, see `readBody`); idle connections outlive the 60 s for which proxies keep theirs. A connection is cut
 * when its reader takes nothing of a response for `patience` milliseconds.
 */
export function createHttpServer(site: Site, patience = 15_000): Server {
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 15_000,
      requestTimeout: 300_000,
      connectionsCheckingInterval: 5_000,
      keepAliveTimeout: 65_000,
      requireHostHeader: false,
      noDelay: true,
    },
    requestListener(site, (socket) => noteFlood(socket)),
  );
  const noteFlood = delayFloods(server);
  server.setTimeout(patience, (socket: Socket & BusySocket) => {
    // A silent client may be waiting for the response, and one between two requests has its own time limit.
    const stuck = socket._httpMessage ? socket.writableLength > 0 : socket.timeout !== patience;
    if (stuck) socket.destroy();
  });
  answerSocketErrors(server);
  return server;
}

/** Error codes of Node's parser, and ours for them; any other means a malformed request. */
const PARSER_CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: "HEADERS_TOO_LARGE",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "PAYLOAD_TOO_LARGE",
  ERR_HTTP_REQUEST_TIMEOUT: "REQUEST_TIMEOUT",
};

/** Node stores a socket's current response under this name; its own default error handler reads it, too. */
interface BusySocket {
  _httpMessage?: ServerResponse;
}

function onClientError(error: NodeJS.ErrnoException, socket: Duplex & BusySocket): void {
  const answered = socket._httpMessage?.headersSent ?? false;
  if (!socket.writable || answered || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const code = PARSER_CODES[error.code ?? ""];
  sendRawRefusal(
    socket,
    code ? apiRefusal(code) : apiRefusal("VALIDATION_ERROR", "The request is not valid HTTP"),
  );
}

function onConnect(_incoming: IncomingMessage, socket: Duplex): void {
  socket.on("error", () => socket.destroy());
  sendRawRefusal(socket, apiRefusal("METHOD_NOT_ALLOWED", undefined, { Allow: "GET, HEAD, POST" }));
}

/** Answers in the envelope where Node would send an empty body or none: malformed bytes, CONNECT, Expect. */
function answerSocketErrors(server: Server): void {
  server.on("clientError", onClientError);
  server.on("connect", onConnect);
  server.on("checkExpectation", (_incoming, outgoing) =>
    sendRefusal(outgoing, apiRefusal("EXPECTATION_FAILED")),
  );
}

/** Milliseconds for running requests once the port is closed. */
const DRAIN_TIMEOUT = 5_000;
const IDLE_CHECK = 50;

/** Milliseconds for which connections between two requests stay open while draining: a request may be on its way on each. */
const LAST_CALLS = 1_000;

/**
 * Returns a function that closes the port and resolves with the last running request, or after 5 s. Call it before the port
 * opens: it also cuts connections that Node has detached and no longer tracks, which would keep the port open.
 */
export function drainable(server: Server): () => Promise<void> {
  const sockets = new Set<Socket & BusySocket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return () =>
    new Promise((resolve) => {
      // Tells waiting clients not to send another request on their connection.
      for (const { _httpMessage: response } of sockets) if (response) response.shouldKeepAlive = false;
      const end = performance.now() + LAST_CALLS;
      // A connection between two requests would stay open for its keep-alive time.
      const idle = setInterval(() => performance.now() > end && server.closeIdleConnections(), IDLE_CHECK);
      const timer = setTimeout(() => sockets.forEach((socket) => void socket.destroy()), DRAIN_TIMEOUT);
      // The HTTP server's own `close` would end idle connections at once.
      TcpServer.prototype.close.call(server, () => {
        clearInterval(idle);
        clearTimeout(timer);
        resolve();
      });
    });
}
