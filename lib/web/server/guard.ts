import type { IncomingMessage } from "node:http";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import { MAX_UPLOAD_BYTES, UPLOAD_PATH } from "@/lib/web/http/upload";
import { apiRefusal, pageRefusal, type ServerRefusal } from "@/lib/web/server/refusal";
import type { RequestTarget } from "@/lib/web/server/target";

/** Headers that steer Next's internal routing; from a client they are always an attack. */
const INNER = /^(?:x-middleware-|x-invoke-|x-metacode-)/;
/** On the API also the headers of page transitions, which turn a POST into a redirect (measured: 307). */
const INNER_API = /^(?:rsc$|next-|x-nextjs-|x-middleware-|x-invoke-|x-metacode-)/;

const METHODS = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]);
export const WRONG_HOST = "Send exactly one valid Host header";
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.%]+\])(?::\d{1,5})?$/;

/** Refuses a malformed request before it is routed, and removes forged headers from the others. */
export function inspect(incoming: IncomingMessage, target: RequestTarget): ServerRefusal | undefined {
  if (!target.sound) return refuse(target, "The request target is malformed");
  if (!soundHost(incoming)) return refuse(target, WRONG_HOST);
  if (!METHODS.has(incoming.method ?? "") && !target.api) {
    return pageRefusal(405, OF_PAGES);
  }
  // Node 20.19's parser lets malformed names pass.
  for (const name in incoming.headers)
    if (!HEADER_NAME.test(name)) return refuse(target, "The name of a header is malformed");
  // The parser decodes `chunked` only, and would pass compressed bytes on as they are.
  if ((incoming.headers["transfer-encoding"] ?? "chunked").toLowerCase() !== "chunked") {
    // Where such a body ends is uncertain, so nothing after it is read as a request.
    const refusal = refuse(target, "Send the body without a Transfer-Encoding other than chunked");
    return { ...refusal, headers: { ...refusal.headers, Connection: "close" } };
  }
  if (incoming.headers.upgrade?.toLowerCase() === "websocket") {
    return refuse(target, "This server does not switch protocols");
  }
  // The API reports the field itself. A page that searched the database for NUL would fail.
  if (!target.api && target.url.includes("%00")) return pageRefusal(400);
  removeHeaders(incoming, target.api ? INNER_API : INNER);
  return undefined;
}

function refuse(target: RequestTarget, message: string): ServerRefusal {
  return target.api ? apiRefusal("VALIDATION_ERROR", message) : pageRefusal(400);
}

/** HTTP/1.0 may omit Host; two Host headers are an attempt to be routed twice. */
function soundHost(incoming: IncomingMessage): boolean {
  const host = incoming.headers.host;
  if (host === undefined) return incoming.httpVersionMinor === 0;
  const names = incoming.rawHeaders;
  let hosts = 0;
  for (let index = 0; index < names.length; index += 2) {
    const name = names[index];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  // A port or an IPv4 address out of range has valid characters, but no handler could parse the request's URL.
  return hosts === 1 && HOST.test(host) && URL.canParse(`http://${host}`);
}

function removeHeaders(incoming: IncomingMessage, forbidden: RegExp): void {
  let found = false;
  for (const name in incoming.headers) {
    if (!forbidden.test(name)) continue;
    delete incoming.headers[name];
    found = true;
  }
  if (!found) return;
  const pairs = incoming.rawHeaders;
  const allowed = pairs.filter(
    (_, index) => !forbidden.test((pairs[index - (index % 2)] ?? "").toLowerCase()),
  );
  pairs.splice(0, pairs.length, ...allowed);
}

/** Maximum brackets in a router state; our pages have some thirty, and the framework takes 0.1 s for a thousand levels. */
const MOST_BRACKETS = 200;

/** Whether the header in which the framework's router describes its page cannot be read, or nests too deep. */
export function hasBrokenState({ headers }: IncomingMessage): boolean {
  const state = headers["next-router-state-tree"];
  if ((String(state).match(/\[|%5b/gi)?.length ?? 0) > MOST_BRACKETS) return true;
  try {
    parseAndValidateFlightRouterState(state);
    return false;
  } catch {
    return true;
  }
}

/** The methods of a page: GET shows it, and POST sends a form. */
const OF_PAGES = { Allow: "GET, HEAD, POST, OPTIONS" };

/** Refuses the methods that no page has, to which the framework would answer with the page. */
export function inspectPageMethod({ method = "" }: IncomingMessage): ServerRefusal | undefined {
  if (method === "GET" || method === "HEAD" || method === "POST") return undefined;
  return pageRefusal(method === "OPTIONS" ? 204 : 405, OF_PAGES);
}

/** Next accepts 1 MB for a server action, plus the encoding around it. */
export const MAX_FORM = 1_100_000;

/** Methods whose body neither pages nor the sign-in read, and for which Node's client sends no framing by default. */
const WITHOUT_BODY = new Set(["GET", "HEAD", "OPTIONS", "DELETE"]);

/** Whether a request has a body that nothing reads. */
export const hasStrayBody = ({ method = "", headers }: IncomingMessage) =>
  WITHOUT_BODY.has(method) && Number(headers["content-length"] ?? 0) > 0;

/**
 * Refuses a body that no page expects before a byte of it is read, because Next would buffer up to 10 MB of it. Files
 * pass, as a stream, on the paths that accept them. A length is required, because the parser enforces only a declared
 * one; browsers always send it.
 */
export function inspectPageBody(incoming: IncomingMessage, path: string): ServerRefusal | undefined {
  const { headers } = incoming;
  if (headers["transfer-encoding"] !== undefined) return pageRefusal(411);
  if (hasStrayBody(incoming)) return pageRefusal(400);
  const most = UPLOAD_PATH.test(path) ? MAX_UPLOAD_BYTES : MAX_FORM;
  return Number(headers["content-length"] ?? 0) > most ? pageRefusal(413) : undefined;
}
