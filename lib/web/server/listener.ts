import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import pLimit from "p-limit";
import { storablePath } from "@/lib/outward/request-log/path";
import { log } from "@/lib/platform/log";
import { singleton } from "@/lib/platform/singleton";
import { addressToken, CLIENT_ADDRESS_HEADER, resolveAddress } from "@/lib/web/http/client-address";
import { answerFromRoute } from "@/lib/web/server/api";
import { AUTH_PATH, inspectAuth } from "@/lib/web/server/auth";
import { readBody } from "@/lib/web/server/body";
import { inspect, inspectPageBody, inspectPageMethod } from "@/lib/web/server/guard";
import { fillApiHeaders, fillPageHeaders } from "@/lib/web/server/late-headers";
import type { PageHandler } from "@/lib/web/server/pages";
import { apiRefusal, pageRefusal, type ServerRefusal, sendRefusal } from "@/lib/web/server/refusal";
import type { RouteMatch, RouteTable } from "@/lib/web/server/table";
import { parseRequestTarget, type RequestTarget } from "@/lib/web/server/target";

/** Everything that the listener depends on; tests pass their own. */
export interface Site {
  table: RouteTable;
  /** Answers below /api when no mounted route matches. */
  unknown?: RouteMatch;
  /** The app whose own domain a Host header names; synchronously undefined for hosts that no app can have. */
  appOfHost?: (host: string | undefined) => Promise<string | undefined> | undefined;
  /** Answers everything else: in production the pages process. */
  pages: PageHandler;
  /** Mounted routes that `pages` answers too, because they take milliseconds of this event loop. */
  heavy?: RouteTable;
  /** Answers requests for static files, and returns whether this was one. */
  files?: (incoming: IncomingMessage, outgoing: ServerResponse, path: string) => boolean;
  /** Trusted proxies in front, see `TRUSTED_PROXIES`. */
  hops: number;
  /** False until pages and API are warm; unset: true as soon as the port is open. */
  ready?: () => boolean;
  draining: () => boolean;
}

/** The target of every fixed route: a path that equals a route's needs no check. */
const MOUNTED: RequestTarget = { url: "", path: "", api: true, inner: false, sound: true };

/** Readiness is answered here while the process starts or drains, before its route could report success. */
const READINESS = /^\/api\/(?:health|ready)\/?$/;
const RETRY = { "Retry-After": "5" };

/** Probes, answered also for hosts that cannot be looked up: load balancers use their own names, above all in an outage. */
const PROBES = /^\/api\/(?:health|live|ready)\/?$/;

/** Stands for the app of a host that cannot be looked up. */
const UNKNOWN = "unknown";

/** Maximum requests that wait on one connection for an earlier response; with more, the connection is cut. */
const MAX_WAITING = 32;

/** The mounted routes that an app's own domain serves. */
const ON_DOMAINS = /^\/(?:r|icons|\.well-known)\//;

const limit = pLimit(1);

/**
 * Waits for a page's turn; false if its client has left, which takes none. A page begins in every second turn of the event
 * loop; a static file needs none, because it costs less than the wait.
 */
async function takeTurn(outgoing: ServerResponse): Promise<boolean> {
  await limit(async () => {
    // The results for calls of the API that arrived with the page come in the turn after its own.
    for (let turn = 0; turn < 2 && !outgoing.destroyed; turn += 1) await setImmediate();
  });
  return !outgoing.destroyed;
}

const NOT_FOUND = "There is no such endpoint";

/** The single entry of all requests: guard, routes and files, then pages. Never throws; `onFlood` gets cut connections. */
export function requestListener(site: Site, onFlood: (socket: Socket) => void): RequestListener {
  const begin: RequestListener = (incoming, outgoing) => {
    const draining = site.draining();
    if (draining) outgoing.shouldKeepAlive = false;
    if ((draining || site.ready?.() === false) && READINESS.test(parseRequestTarget(incoming.url ?? "").path))
      return sendRefusal(outgoing, apiRefusal("SERVICE_UNAVAILABLE", undefined, RETRY));
    answer(site, incoming, outgoing).catch((error: unknown) => {
      // The path is omitted because it may itself be a secret, like the link in an email.
      const path = storablePath((incoming.url ?? "").split("?", 1)[0] ?? "");
      log().error({ err: error, path }, "a request failed before or after its handler");
      if (!outgoing.headersSent) sendRefusal(outgoing, apiRefusal("INTERNAL_ERROR"));
      else outgoing.destroy();
    });
  };
  return oneAtATime(begin, onFlood);
}

/**
 * Starts a pipelined request when the one before it on the same connection is answered. Node would start all of them at
 * once and only send the answers in order.
 */
function oneAtATime(begin: RequestListener, onFlood: (socket: Socket) => void): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (incoming, outgoing) => {
    // Node gives a response its socket when it is its turn.
    if (outgoing.socket) return begin(incoming, outgoing);
    const { socket } = incoming;
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    if (count > MAX_WAITING) {
      onFlood(socket);
      return void socket.destroy();
    }
    outgoing.once("socket", () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      begin(incoming, outgoing);
    });
  };
}

async function answer(site: Site, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const fixed = site.table.fixed(incoming.url ?? "");
  const target = fixed ? MOUNTED : parseRequestTarget(incoming.url ?? "");
  const refusal = inspect(incoming, target);
  if (refusal) return refuse(incoming, outgoing, refusal);
  writeClientAddress(site, incoming);
  const lookUp = site.appOfHost?.(incoming.headers.host);
  const app = lookUp && (await lookUp.catch(() => UNKNOWN));
  if (app !== undefined && !(app === UNKNOWN && PROBES.test(parseRequestTarget(incoming.url ?? "").path)))
    return answerOnDomain(site, incoming, outgoing, app);
  if (fixed) {
    if (!fixed.path?.startsWith("/api/")) fillPageHeaders(outgoing, 400);
    return answerFromRoute(incoming, outgoing, fixed);
  }
  incoming.url = target.url;
  if (target.api && AUTH_PATH.test(target.path)) return answerAuth(site, incoming, outgoing);
  const match = findMatch(site, target);
  if (match) return answerMatch(site, incoming, outgoing, target, match);
  if (target.api || target.inner) return refuse(incoming, outgoing, notFound(target));
  fillPageHeaders(outgoing);
  if (site.files?.(incoming, outgoing, target.path)) return;
  const unsupported = inspectPageMethod(incoming);
  if (unsupported) return refuse(incoming, outgoing, unsupported);
  return answerPage(site, incoming, outgoing, target.path);
}

async function answerPage(
  site: Site,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  path: string,
): Promise<void> {
  const tooMuch = inspectPageBody(incoming, path);
  if (tooMuch) return refuse(incoming, outgoing, tooMuch);
  if (!(await takeTurn(outgoing))) return;
  return site.pages(incoming, outgoing);
}

async function answerMatch(
  site: Site,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { api, path }: RequestTarget,
  match: RouteMatch,
): Promise<void> {
  // A mounted page sets its own headers; its refusals get those of every page.
  if (!api) fillPageHeaders(outgoing, 400);
  if (site.heavy?.find(path)) return answerPage(site, incoming, outgoing, path);
  if (!api && !(await takeTurn(outgoing))) return;
  return answerFromRoute(incoming, outgoing, match);
}

/**
 * An app's own domain serves the app's landing pages and their files only: no API, no dashboard. A host that cannot be looked
 * up may be such a domain, so all other paths answer "try again"; the routes of landing pages look the host up themselves.
 */
async function answerOnDomain(
  site: Site,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  app: string,
): Promise<void> {
  const target = parseRequestTarget(incoming.url ?? "");
  const match = ON_DOMAINS.test(target.path) ? site.table.find(target.path) : undefined;
  if (!match) return refuse(incoming, outgoing, app === UNKNOWN ? tryAgain(target) : notFound(target));
  incoming.url = target.url;
  return answerMatch(site, incoming, outgoing, target, match);
}

const tryAgain = ({ api }: RequestTarget): ServerRefusal =>
  api ? apiRefusal("SERVICE_UNAVAILABLE", undefined, RETRY) : pageRefusal(503, RETRY);

const notFound = ({ api }: RequestTarget): ServerRefusal =>
  api ? apiRefusal("NOT_FOUND", NOT_FOUND) : pageRefusal(404);

function findMatch(site: Site, target: RequestTarget): RouteMatch | undefined {
  return site.table.find(target.path) ?? (target.api ? site.unknown : undefined);
}

async function answerAuth(site: Site, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const refusal = inspectAuth(incoming);
  if (refusal) return refuse(incoming, outgoing, refusal);
  fillApiHeaders(outgoing);
  return site.pages(incoming, outgoing);
}

/**
 * Refuses a request and drops the rest of it as it arrives, because the client would otherwise see a reset
 * connection.
 */
function refuse(incoming: IncomingMessage, outgoing: ServerResponse, refusal: ServerRefusal): void {
  sendRefusal(outgoing, refusal);
  void readBody(incoming, 0);
}

function writeClientAddress(site: Site, incoming: IncomingMessage): void {
  const value =
    site.hops === 0
      ? ownAddress(incoming.socket, incoming.headers["x-forwarded-for"])
      : forwardedAddress(site, incoming);
  incoming.headers[CLIENT_ADDRESS_HEADER] = value;
  incoming.rawHeaders.push(CLIENT_ADDRESS_HEADER, value);
}

function forwardedAddress(site: Site, incoming: IncomingMessage): string {
  const forwarded = incoming.headers["x-forwarded-for"];
  const list = Array.isArray(forwarded) ? forwarded.join(",") : forwarded;
  return addressToken() + resolveAddress(incoming.socket.remoteAddress, list, site.hops);
}

/** Warns once per process: all callers behind the proxy count as one, so one of them could lock out the others. */
function warnOfProxy(): void {
  singleton("http.proxy-warning", () => {
    log().warn("X-Forwarded-For arrives although TRUSTED_PROXIES is 0: set it to the number of your proxies");
    return true;
  });
}

/** A connection's remote address never changes, so it is formatted once. */
const addresses = new WeakMap<Socket, string>();

function ownAddress(socket: Socket, forwarded: unknown): string {
  const known = addresses.get(socket);
  if (known) return known;
  if (forwarded !== undefined) warnOfProxy();
  const value = addressToken() + resolveAddress(socket.remoteAddress, undefined, 0);
  addresses.set(socket, value);
  return value;
}
