import { Agent, type IncomingMessage, request, type ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { log } from "@/lib/platform/log";
import { noteGarbage } from "@/lib/web/server/body";
import type { PageHandler } from "@/lib/web/server/pages";
import { connectionTo } from "@/lib/web/server/pages-address";
import { pagesAwayRefusal, sendRefusal } from "@/lib/web/server/refusal";

/** Hop-by-hop headers, which are never forwarded (RFC 9110, 7.6.1). */
const OF_THE_CONNECTION = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
]);

/** Never dropped, whatever `Connection` names: without its length a body would be read as the next visitor's request. */
const NEVER_DROPPED = /^(?:content-length|host|x-metacode-.*)$/;

/** Milliseconds in which the pages process must send or take a byte. */
const SILENCE = 120_000;

/**
 * Forwards requests to the pages process and streams responses and files at the pace of the slower side. The listener has
 * checked each request, so its `x-metacode-` headers are the web process's own.
 */
export function forwardTo(address: string): PageHandler {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 });
  const options = { ...connectionTo(address), agent, timeout: SILENCE };
  return async (incoming, outgoing, body) => {
    const { method, url } = incoming;
    const headers = endToEnd(incoming.rawHeaders, incoming.headers.connection);
    // HTTP/1.0 may omit the host, and the pages process would answer 400. Browsers send one, which forms compare with the origin.
    if (incoming.headers.host === undefined) headers.push("Host", "localhost");
    const upstream = request({ ...options, method, path: url, headers: headers as never });
    upstream.once("response", (response) => answerWith(response, outgoing));
    upstream.once("timeout", () => {
      log().error("the pages process is silent");
      upstream.destroy(new Error("silent"));
    });
    upstream.once("error", () => giveUp(incoming, outgoing));
    outgoing.once("close", () => upstream.destroy());
    if (body?.length) upstream.end(body);
    else incoming.on("data", passOn).pipe(upstream);
  };
}

const passOn = ({ length }: Buffer): void => noteGarbage(length);

/** Pairs of names and values, without the headers of the connection itself and those that it names. */
function endToEnd(pairs: string[], connection = ""): string[] {
  const named = new Set(connection.split(",").map((name) => name.trim().toLowerCase()));
  const left: string[] = [];
  for (let index = 0; index < pairs.length; index += 2) {
    const [name = "", value = ""] = [pairs[index], pairs[index + 1]];
    const lower = name.toLowerCase();
    const dropped = OF_THE_CONNECTION.has(lower) || (named.has(lower) && !NEVER_DROPPED.test(lower));
    if (!dropped) left.push(name, value);
  }
  return left;
}

function answerWith(response: IncomingMessage, outgoing: ServerResponse): void {
  const pairs = endToEnd(response.rawHeaders, response.headers.connection);
  // Not as an argument of writeHead, which keeps only the last of several cookies once any header is set.
  for (let index = 0; index < pairs.length; index += 2)
    outgoing.appendHeader(pairs[index] ?? "", pairs[index + 1] ?? "");
  outgoing.writeHead(response.statusCode ?? 502, response.statusMessage);
  response.on("data", passOn);
  pipeline(response, outgoing, () => undefined);
}

/** Answers 503 while the pages process is away; cuts off a response that has begun, because the rest is lost. */
function giveUp(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (outgoing.destroyed) return;
  if (outgoing.headersSent) return void outgoing.destroy();
  sendRefusal(outgoing, pagesAwayRefusal(incoming));
  incoming.unpipe();
  incoming.resume();
}
