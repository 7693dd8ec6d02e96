import type { IncomingHttpHeaders } from "node:http";
import { isIPv6, type LookupFunction } from "node:net";
import { LRUCache } from "lru-cache";
import type { Dispatcher, Pool } from "undici";
// @ts-expect-error Only the whole package is typed; loading that costs 65 ms and replaces the dispatcher of `fetch`.
import UntypedPool from "undici/lib/dispatcher/pool.js";
import { checkTarget, type Resolve, type Target, urlOf } from "@/lib/platform/egress/target";
import { env } from "@/lib/platform/env";
import { singleton } from "@/lib/platform/singleton";
import { annotateStatus, traced, traceHeaders } from "@/lib/platform/tracing";
import { MAX_ANSWER, storedBody, storedHeaders } from "./answer";
import { EgressError, egressError } from "./failure";

export interface EgressRequest {
  url: string;
  method: "POST" | "GET";
  headers: Record<string, string>;
  body: string;
}

export interface EgressResponse {
  status: number;
  /** The headers that `readAnswer` reads. */
  headers: Record<string, string>;
  /** At most 16 KB of text, where the caller does not ask for more. */
  body: string;
  ms: number;
}

/** Limits of a request, and replacements for tests. */
interface EgressOptions {
  allowed?: readonly string[];
  resolve?: Resolve;
  timeoutMs?: number;
  /** Bytes of the body that are read, for answers that are longer than a webhook receiver's. */
  maxBody?: number;
}

/** From resolving the name to the last byte of the response. */
const TIMEOUT_MS = 15_000;

/** How long a connection stays open for the next request. */
const KEEP_MS = 20_000;

/**
 * How long each address of a host but the last may take to accept a connection. Node's 250 ms is less than a distant or
 * busy server takes, or a lost packet costs: with an unreachable IPv6 address behind it, no connection was ever opened.
 */
const ATTEMPT_MS = 2_500;

/** The connections to a host. New ones go to the addresses checked last, whatever the name resolves to now. */
interface Route {
  pool: Pool;
  addresses: string[];
  /** Connections that were opened so far, and attempts to open one. */
  opened: number;
}

const routes = () =>
  singleton(
    "egress.routes",
    () => new LRUCache<string, Route>({ max: 1_000, dispose: ({ pool }) => void pool.close() }),
  );

/** Connections stay open for the next request to the same host; the number per host is limited. */
function openRoute(origin: string, addresses: string[]): Route {
  const lookup: LookupFunction = (_host, { all }, done) => {
    const found = route.addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    const [first] = found;
    if (all) done(null, found);
    else done(first ? null : new Error("no address"), first?.address ?? "", first?.family);
  };
  const options: Pool.Options = {
    connections: 256,
    connect: { lookup, timeout: TIMEOUT_MS, autoSelectFamilyAttemptTimeout: ATTEMPT_MS },
    keepAliveTimeout: KEEP_MS,
    keepAliveMaxTimeout: KEEP_MS,
    // A request has its own deadline.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const route: Route = { pool: new UntypedPool(origin, options), addresses, opened: 0 };
  const count = () => {
    route.opened += 1;
  };
  route.pool.on("connect", count).on("connectionError", count);
  routes().set(origin, route);
  return route;
}

function routeTo({ url, addresses }: Target): Route {
  // Certificates name a host without its last dot.
  const origin = url.origin.replace(/\.(:\d+)?$/, "$1");
  const known = routes().get(origin);
  // Kept connections to a host that has moved would reach its former server for as long as events follow one another.
  const route = known?.addresses.some((address) => addresses.includes(address))
    ? known
    : openRoute(origin, addresses);
  route.addresses = addresses;
  return route;
}

/** The end of a request's time. A plain timer, because an abort signal costs as much as a third of the request. */
class Deadline {
  private readonly timer: NodeJS.Timeout;
  private end: (error: EgressError) => void = () => undefined;
  private error: EgressError | undefined;

  constructor(ms: number) {
    this.timer = setTimeout(() => {
      this.error = new EgressError("timeout", "The response was not complete in time");
      this.end(this.error);
    }, ms);
  }

  /** Calls `end` when the time ends, instead of the function that was passed before. */
  at(end: (error: EgressError) => void): void {
    this.end = end;
    if (this.error) end(this.error);
  }

  clear(): void {
    clearTimeout(this.timer);
  }
}

type Answer = Omit<EgressResponse, "ms">;

/** Reads the response to one request. One that breaks off after its head still counts by its status. */
class AnswerReader implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined;
  private stopped: Error | undefined;
  private head: Omit<Answer, "body"> | undefined;
  private readonly parts: Buffer[] = [];
  private size = 0;

  constructor(
    private readonly most: number,
    private readonly resolve: (answer: Answer) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  /** Ends the request now. One that waits for its connection is never sent. */
  stop(reason: Error): void {
    this.stopped = reason;
    this.onResponseError(undefined, reason);
    this.controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.stopped) controller.abort(this.stopped);
  }

  onResponseStart(_: unknown, status: number, headers: IncomingHttpHeaders): void {
    // Those below 200 come before the answer.
    if (status >= 200) this.head = { status, headers: storedHeaders(headers) };
  }

  onResponseData(_: unknown, part: Buffer): void {
    // Copied, because the part is a view of everything that the socket read at once: 64 KB for a byte of body.
    this.parts.push(Buffer.from(part.subarray(0, this.most)));
    this.size += part.length;
    if (this.size > this.most) this.stop(new Error("The rest of the response is not read"));
  }

  onResponseEnd(): void {
    if (this.head) this.resolve({ ...this.head, body: storedBody(this.parts, this.most) });
  }

  onResponseError(_: unknown, error: Error): void {
    // The status decides; the body received so far is shown.
    if (this.head) this.onResponseEnd();
    else this.reject(error);
  }
}

const CLOSED = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"];

/** Sends a request and reads its response. A reused connection that was just closed is replaced once. */
async function transmit(
  given: EgressRequest,
  target: Target,
  deadline: Deadline,
  { most, again = true }: { most: number; again?: boolean },
): Promise<Answer> {
  const { method, body } = given;
  const route = routeTo(target);
  const { opened } = route;
  const headers = { ...given.headers, ...traceHeaders(), "accept-encoding": "identity" };
  const path = target.url.pathname + target.url.search;
  try {
    return await new Promise((resolve, reject) => {
      const reader = new AnswerReader(most, resolve, reject);
      deadline.at((error) => reader.stop(error));
      route.pool.dispatch({ method, path, headers, body }, reader);
    });
  } catch (error) {
    const reused = route.opened === opened;
    if (!again || !reused || !CLOSED.includes((error as { code?: string }).code ?? "")) throw error;
    return transmit(given, target, deadline, { most, again: false });
  }
}

function within<T>(deadline: Deadline, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    deadline.at(reject);
    work.then(resolve, reject);
  });
}

/**
 * Sends one request to an address that a tenant chose. It never reaches a private network, by any spelling, name or
 * redirect (none is followed), unless `OUTBOUND_ALLOW` contains the range. Returns the response with any status;
 * throws an `EgressError` with a message for the log if there is none within 15 s.
 */
export async function sendRequest(
  given: EgressRequest,
  options: EgressOptions = {},
): Promise<EgressResponse> {
  const { method, url } = given;
  // The host only: a path or a query may hold a tenant's secret.
  const host = urlOf(url)?.hostname ?? "invalid";
  const attributes = { "http.request.method": method, "server.address": host };
  return traced(method, { kind: "client", attributes }, async () => {
    const response = await send(given, options);
    annotateStatus(response.status, 400);
    return response;
  });
}

async function send(given: EgressRequest, options: EgressOptions): Promise<EgressResponse> {
  const start = performance.now();
  const deadline = new Deadline(options.timeoutMs ?? TIMEOUT_MS);
  try {
    const allowed = options.allowed ?? env().OUTBOUND_ALLOW;
    const target = await within(deadline, checkTarget(given.url, allowed, options.resolve));
    const answer = await transmit(given, target, deadline, { most: options.maxBody ?? MAX_ANSWER });
    return { ...answer, ms: Math.round(performance.now() - start) };
  } catch (error) {
    throw egressError(error);
  } finally {
    deadline.clear();
  }
}
