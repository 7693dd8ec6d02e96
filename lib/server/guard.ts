import type { IncomingMessage } from "node:http";
import { apiRefusal, pageRefusal, type Refusal } from "@/lib/server/refusal";
import type { Target } from "@/lib/server/target";

/** Headers that steer the framework's inner routing; from outside they only ever mean an attack. */
const INNER = /^(?:x-middleware-|x-invoke-|x-metacode-)/;
/** On the API also those of page transitions: they turn a POST into a redirect (measured: 307). */
const INNER_API = /^(?:rsc$|next-|x-nextjs-|x-middleware-|x-invoke-|x-metacode-)/;

const METHODS = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]);
const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.%]+\])(?::\d{1,5})?$/;

/** Returns the refusal that a request deserves before it is routed, or nothing. Also removes forged headers. */
export function inspect(incoming: IncomingMessage, target: Target): Refusal | undefined {
  if (!target.sound) return refuse(target, "The request target is malformed");
  if (!soundHost(incoming)) return refuse(target, "Send exactly one valid Host header");
  if (!METHODS.has(incoming.method ?? "") && !target.api) {
    return pageRefusal(405, { Allow: "GET, HEAD, POST" });
  }
  if (incoming.headers.upgrade?.toLowerCase() === "websocket") {
    return refuse(target, "This server does not switch protocols");
  }
  removeHeaders(incoming, target.api ? INNER_API : INNER);
  return undefined;
}

function refuse(target: Target, message: string): Refusal {
  return target.api ? apiRefusal("VALIDATION_ERROR", message) : pageRefusal(400);
}

/** Version 1.0 may leave Host out; two of them are an attempt to be routed twice. */
function soundHost(incoming: IncomingMessage): boolean {
  const host = incoming.headers.host;
  if (host === undefined) return incoming.httpVersionMinor === 0;
  const names = incoming.rawHeaders;
  let hosts = 0;
  for (let index = 0; index < names.length; index += 2) {
    const name = names[index];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts === 1 && HOST.test(host);
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
  const kept = pairs.filter((_, index) => !forbidden.test((pairs[index - (index % 2)] ?? "").toLowerCase()));
  pairs.splice(0, pairs.length, ...kept);
}
