import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { ErrorCode } from "@/lib/errors";
import { apiRefusal, send, sendRaw } from "@/lib/server/refusal";

/** What Node's parser reports, as a code of ours; everything else is a malformed request. */
const PARSER_CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: "HEADERS_TOO_LARGE",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "PAYLOAD_TOO_LARGE",
  ERR_HTTP_REQUEST_TIMEOUT: "REQUEST_TIMEOUT",
};

/** Node keeps the answer under way on the socket under this name, and reads it in its own default handler. */
export interface Busy {
  _httpMessage?: ServerResponse;
}

function onClientError(error: NodeJS.ErrnoException, socket: Duplex & Busy): void {
  const answered = socket._httpMessage?.headersSent ?? false;
  if (!socket.writable || answered || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const code = PARSER_CODES[error.code ?? ""];
  sendRaw(socket, code ? apiRefusal(code) : apiRefusal("VALIDATION_ERROR", "The request is not valid HTTP"));
}

function onConnect(_incoming: IncomingMessage, socket: Duplex): void {
  socket.on("error", () => socket.destroy());
  sendRaw(socket, apiRefusal("METHOD_NOT_ALLOWED", undefined, { Allow: "GET, HEAD, POST" }));
}

/** Answers in the envelope where Node would answer with an empty body or none: bad bytes, CONNECT, Expect. */
export function answerSocketErrors(server: Server): void {
  server.on("clientError", onClientError);
  server.on("connect", onConnect);
  server.on("checkExpectation", (_incoming, outgoing) => send(outgoing, apiRefusal("EXPECTATION_FAILED")));
}
