import { randomUUID } from "node:crypto";
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { env } from "@/lib/platform/env";
import { AppError, type ErrorCode } from "@/lib/platform/errors";
import { apiHeaders } from "@/lib/web/http/answer";
import { securityHeaders } from "@/lib/web/session/page-headers";

/** A response that is sent before any route sees the request. */
export interface ServerRefusal {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * The headers of every response below /api, for unknown callers: the limit of an address, unused, until the next full
 * minute.
 */
export function defaultApiHeaders(): Record<string, string> {
  const limit = env().IP_REQUESTS_PER_MINUTE;
  const reset = (Math.floor(Date.now() / 60_000) + 1) * 60;
  return apiHeaders(randomUUID(), { limit, remaining: limit, reset });
}

/** A refusal in the envelope of section 7, with the numeric rate headers. */
export function apiRefusal(
  code: ErrorCode,
  message?: string,
  headers: Record<string, string> = {},
): ServerRefusal {
  const error = new AppError(code, message);
  const standard = defaultApiHeaders();
  const body = { error: { code, message: error.message, request_id: standard["X-Request-Id"] } };
  return {
    status: error.status,
    headers: { ...standard, ...headers },
    body: JSON.stringify(body),
  };
}

/** The policy of a page without content. */
export const NO_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** A refusal of a page: the status text alone, or nothing with 204. */
export function pageRefusal(status: number, headers: Record<string, string> = {}): ServerRefusal {
  return {
    status,
    headers: {
      "Cache-Control": "no-store",
      ...(status === 204 ? {} : { "Content-Type": "text/plain; charset=utf-8" }),
      ...securityHeaders(),
      "Content-Security-Policy": NO_CONTENT_POLICY,
      ...headers,
    },
    body: status === 204 ? "" : `${STATUS_CODES[status] ?? "Error"}\n`,
  };
}

const AWAY = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Back in a moment</title><h1>Back in a moment</h1>
<p>The service is starting its pages. Nothing was lost. Reload this page in a few seconds.</p></html>
`;

/** 503 while no process renders pages: HTML for a browser, the envelope below /api and for everything else. */
export function pagesAwayRefusal({ headers, url }: IncomingMessage): ServerRefusal {
  const retry = { "Retry-After": "5" };
  if (url?.startsWith("/api/") || !headers.accept?.includes("text/html"))
    return apiRefusal("SERVICE_UNAVAILABLE", undefined, retry);
  return { ...pageRefusal(503, { ...retry, "Content-Type": "text/html; charset=utf-8" }), body: AWAY };
}

/** The headers with the length, which HTTP forbids in a 204. */
const framed = ({ status, headers, body }: ServerRefusal) =>
  status === 204 ? headers : { ...headers, "Content-Length": String(Buffer.byteLength(body)) };

/** Answers a request with a refusal. */
export function sendRefusal(outgoing: ServerResponse, refusal: ServerRefusal): void {
  outgoing.writeHead(refusal.status, framed(refusal)).end(refusal.body);
}

/** The methods that send a response's head when they are called first. */
const SENDING = ["writeHead", "write", "end"] as const;

/**
 * Calls `decide` with the status before anything of a response is sent: a refusal replaces the response, and "away" makes it a
 * 503. The framework's compression wraps the same methods later, so the refusal bypasses it.
 */
export function replaceResponse(
  outgoing: ServerResponse,
  decide: (status: number) => ServerRefusal | "away" | undefined,
): void {
  const { writeHead, end } = outgoing;
  let decided: ServerRefusal | "away" | "as it is" | undefined;
  const open = (status: number) => {
    decided = decide(status) ?? "as it is";
    if (decided === "away") outgoing.setHeader("Retry-After", "5");
    if (typeof decided === "string") return;
    outgoing.removeHeader("Content-Encoding");
    writeHead.call(outgoing, decided.status, framed(decided) as never);
    end.call(outgoing, decided.body, "utf8");
  };
  for (const name of SENDING) {
    const own = outgoing[name] as (...values: unknown[]) => unknown;
    const patched = (...values: unknown[]) => {
      if (!decided) open(name === "writeHead" ? Number(values[0]) : outgoing.statusCode);
      if (typeof decided === "object") return name === "write" || outgoing;
      if (decided === "away" && name === "writeHead") values[0] = 503;
      return own.apply(outgoing, values);
    };
    Object.assign(outgoing, { [name]: patched });
  }
}

/** Milliseconds within which a refused client can read its response and end the connection. */
const LINGER = 1_000;

/** Answers on a socket that Node has detached, and closes it, because nothing else does if the client does not. */
export function sendRawRefusal(socket: Duplex, refusal: ServerRefusal): void {
  const headers = { ...framed(refusal), Connection: "close" };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? "Error"}\r\n`;
  socket.end(`${status}${lines.join("")}\r\n${refusal.body}`);
  // Drops the bytes that the client still sends, because its end of the connection follows them.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER).unref();
}
