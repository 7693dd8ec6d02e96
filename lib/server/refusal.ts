import { randomUUID } from "node:crypto";
import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { env } from "@/lib/env";
import { AppError, type ErrorCode } from "@/lib/errors";
import { apiHeaders } from "@/lib/http/headers";

/** An answer given before any route has seen the request. */
export interface Refusal {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * The headers that every response below /api has, for answers without a known caller: the limit of an address,
 * untouched, until the next full minute.
 */
export function defaultApiHeaders(): Record<string, string> {
  const limit = env().IP_REQUESTS_PER_MINUTE;
  const reset = (Math.floor(Date.now() / 60_000) + 1) * 60;
  return apiHeaders(randomUUID(), { limit, remaining: limit, reset });
}

/** A refusal in the envelope of section 7, with the numeric rate headers. */
export function apiRefusal(code: ErrorCode, message?: string, headers: Record<string, string> = {}): Refusal {
  const error = new AppError(code, message);
  const standard = defaultApiHeaders();
  const body = { error: { code, message: error.message, request_id: standard["X-Request-Id"] } };
  return {
    status: error.status,
    headers: { ...standard, ...headers },
    body: JSON.stringify(body),
  };
}

/** A refusal of a page: the bare status in words. */
export function pageRefusal(status: number, headers: Record<string, string> = {}): Refusal {
  return {
    status,
    headers: { "Cache-Control": "no-store", "Content-Type": "text/plain; charset=utf-8", ...headers },
    body: `${STATUS_CODES[status] ?? "Error"}\n`,
  };
}

/** Answers an ordinary request. */
export function send(outgoing: ServerResponse, refusal: Refusal): void {
  const length = Buffer.byteLength(refusal.body);
  outgoing.writeHead(refusal.status, { ...refusal.headers, "Content-Length": length }).end(refusal.body);
}

/** Answers on a bare socket, where the parser gave up before there was a request, and closes it. */
export function sendRaw(socket: Duplex, refusal: Refusal): void {
  const headers = {
    ...refusal.headers,
    "Content-Length": String(Buffer.byteLength(refusal.body)),
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? "Error"}\r\n`;
  socket.end(`${status}${lines.join("")}\r\n${refusal.body}`);
}
