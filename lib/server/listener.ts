import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { addressToken, CLIENT_ADDRESS_HEADER, resolveAddress } from "@/lib/http/client-address";
import { log } from "@/lib/log";
import { storablePath } from "@/lib/requests/path";
import { answerFromRoute } from "@/lib/server/api";
import { AUTH_PATH, fillApiHeaders, inspectAuth } from "@/lib/server/auth";
import { readBody } from "@/lib/server/body";
import { inspect } from "@/lib/server/guard";
import { inspectPageBody } from "@/lib/server/page-body";
import { apiRefusal, pageRefusal, type Refusal, send } from "@/lib/server/refusal";
import type { Match, Table } from "@/lib/server/table";
import { parseTarget, type Target } from "@/lib/server/target";

/** Everything the listener decides by; the tests bring their own. */
export interface Site {
  table: Table;
  /** Answers what no mounted route does below /api. */
  unknown?: Match;
  /** The app whose own domain a Host header names; undefined without a wait for every host of the service itself. */
  appOfHost?: (host: string | undefined) => Promise<string | undefined> | undefined;
  /** The framework behind; waits by itself until it is ready. */
  pages: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;
  /** Proxies of ours in front, see `TRUSTED_PROXIES`. */
  hops: number;
  draining: () => boolean;
}

/** Stands for the target of a fixed route, whose soundness needs no look at each request. */
const MOUNTED: Target = { url: "", path: "", api: true, sound: true };

/** While requests drain, readiness says no before any route could say yes. */
const HEALTH = /^\/api\/health\/?(?:\?|$)/;

/** What of the mounted routes an app's own domain shows. */
const ON_DOMAINS = /^\/(?:r|icons|\.well-known)\//;

const NOT_FOUND = "No such path below /api";

/** The one entrance: guard first, then the mounted routes, then the framework. Never throws. */
export function requestListener(site: Site): RequestListener {
  return (incoming, outgoing) => {
    if (site.draining()) {
      outgoing.shouldKeepAlive = false;
      if (HEALTH.test(incoming.url ?? "")) return send(outgoing, apiRefusal("SERVICE_UNAVAILABLE"));
    }
    answer(site, incoming, outgoing).catch((error: unknown) => {
      // A page's address may be the secret, as that of a link in a mail is.
      const path = storablePath((incoming.url ?? "").split("?", 1)[0] ?? "");
      log().error({ err: error, path }, "A request failed outside its handler");
      if (!outgoing.headersSent) send(outgoing, apiRefusal("INTERNAL_ERROR"));
      else outgoing.destroy();
    });
  };
}

async function answer(site: Site, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const fixed = site.table.fixed(incoming.url ?? "");
  const target = fixed ? MOUNTED : parseTarget(incoming.url ?? "");
  const refusal = inspect(incoming, target);
  if (refusal) return refuse(incoming, outgoing, refusal);
  writeClientAddress(site, incoming);
  const asked = site.appOfHost?.(incoming.headers.host);
  if (asked && (await asked.catch(() => undefined)) !== undefined)
    return answerOnDomain(site, incoming, outgoing);
  if (fixed) return answerFromRoute(incoming, outgoing, fixed);
  incoming.url = target.url;
  if (target.api && AUTH_PATH.test(target.path)) return answerAuth(site, incoming, outgoing);
  if (target.path === "/api/health" && site.draining())
    return send(outgoing, apiRefusal("SERVICE_UNAVAILABLE"));
  const match = findMatch(site, target);
  if (match) return answerFromRoute(incoming, outgoing, match);
  if (target.api) return refuse(incoming, outgoing, apiRefusal("NOT_FOUND", NOT_FOUND));
  const tooMuch = inspectPageBody(incoming, target.path);
  if (tooMuch) return refuse(incoming, outgoing, tooMuch);
  return site.pages(incoming, outgoing);
}

/** An app's own domain shows that app's landing pages and what belongs to them: no API, no dashboard. */
async function answerOnDomain(
  site: Site,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const target = parseTarget(incoming.url ?? "");
  if (target.api) return refuse(incoming, outgoing, apiRefusal("NOT_FOUND", NOT_FOUND));
  const match = ON_DOMAINS.test(target.path) ? site.table.find(target.path) : undefined;
  if (!match) return refuse(incoming, outgoing, pageRefusal(404));
  incoming.url = target.url;
  return answerFromRoute(incoming, outgoing, match);
}

function findMatch(site: Site, target: Target): Match | undefined {
  return site.table.find(target.path) ?? (target.api ? site.unknown : undefined);
}

async function answerAuth(site: Site, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const refusal = inspectAuth(incoming);
  if (refusal) return refuse(incoming, outgoing, refusal);
  fillApiHeaders(outgoing);
  return site.pages(incoming, outgoing);
}

/** The rest of the request is thrown away as it comes, else the client would see a reset and not the answer. */
function refuse(incoming: IncomingMessage, outgoing: ServerResponse, refusal: Refusal): void {
  send(outgoing, refusal);
  void readBody(incoming, 0);
}

function writeClientAddress(site: Site, incoming: IncomingMessage): void {
  const value = site.hops === 0 ? ownAddress(incoming.socket) : forwardedAddress(site, incoming);
  incoming.headers[CLIENT_ADDRESS_HEADER] = value;
  incoming.rawHeaders.push(CLIENT_ADDRESS_HEADER, value);
}

function forwardedAddress(site: Site, incoming: IncomingMessage): string {
  const forwarded = incoming.headers["x-forwarded-for"];
  const list = Array.isArray(forwarded) ? forwarded.join(",") : forwarded;
  return addressToken() + resolveAddress(incoming.socket.remoteAddress, list, site.hops);
}

/** A connection's own end never changes, so it is worked out once. */
const addresses = new WeakMap<Socket, string>();

function ownAddress(socket: Socket): string {
  const known = addresses.get(socket);
  if (known) return known;
  const value = addressToken() + resolveAddress(socket.remoteAddress, undefined, 0);
  addresses.set(socket, value);
  return value;
}
