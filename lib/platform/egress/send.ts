import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest, Agent as SecureAgent } from "node:https";
import { isIPv6, type LookupFunction } from "node:net";
import { checkTarget, hostOf, type Resolve, type Target, urlOf } from "@/lib/platform/egress/target";
import { env } from "@/lib/platform/env";
import { singleton } from "@/lib/platform/singleton";
import { annotateStatus, traced, traceHeaders } from "@/lib/platform/tracing";
import { readAnswer } from "./answer";
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
  /** Bytes of the body that are read, where an answer has more than a receiver's. */
  maxBody?: number;
}

/** From resolving the name to the last byte of the response. */
const TIMEOUT_MS = 15_000;

/** Connections stay open for the next request to the same host; the number per host is limited. */
const agents = () =>
  singleton("egress.agents", () => {
    const settings = { keepAlive: true, maxSockets: 32, maxFreeSockets: 8, timeout: 20_000 };
    return { "http:": new Agent(settings), "https:": new SecureAgent(settings) };
  });

/** A look-up that returns the checked addresses, so that a name that changes meanwhile has no effect. */
function pinned(addresses: string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_host, { all }, done) => {
    const [first] = found;
    if (all) done(null, found);
    else done(first ? null : new Error("no address"), first?.address ?? "", first?.family);
  };
}

/** The end of a request's time. A timer of our own: a signal costs as much as a third of the request. */
class Deadline {
  private readonly timer: NodeJS.Timeout;
  private end: (error: EgressError) => void = () => undefined;
  private error: EgressError | undefined;

  constructor(ms: number) {
    this.timer = setTimeout(() => {
      this.error = new EgressError("timeout", "The answer was not complete in time");
      this.end(this.error);
    }, ms);
  }

  /** Calls `end` at the end of the time, and no function that was given before. */
  at(end: (error: EgressError) => void): void {
    this.end = end;
    if (this.error) end(this.error);
  }

  clear(): void {
    clearTimeout(this.timer);
  }
}

/** Sends a request; resolves with the head of the answer. A reused connection that was just closed is replaced once. */
function transmit(given: EgressRequest, target: Target, deadline: Deadline): Promise<IncomingMessage> {
  const { url } = target;
  const secure = url.protocol === "https:";
  const agent = agents()[secure ? "https:" : "http:"];
  return new Promise((resolve, reject) => {
    const headers = {
      ...given.headers,
      ...traceHeaders(),
      "accept-encoding": "identity",
      "content-length": String(Buffer.byteLength(given.body)),
    };
    const options = {
      ...{ host: hostOf(url), port: url.port, path: url.pathname + url.search, method: given.method },
      ...{ headers: ["host", url.host, ...Object.entries(headers).flat()], agent },
      lookup: pinned(target.addresses),
    };
    let answered = false;
    const sent = (secure ? httpsRequest : httpRequest)(options, (answer) => {
      answered = true;
      resolve(answer);
    });
    const end = (error: Error) => {
      sent.destroy(error);
      reject(error);
    };
    deadline.at(end);
    let stale = false;
    sent.on("error", (error: NodeJS.ErrnoException) => {
      stale = sent.reusedSocket && error.code === "ECONNRESET";
      if (stale) transmit(given, target, deadline).then(resolve, reject);
      else reject(error);
    });
    // Neither is an error to Node: without these, the request would never end.
    sent.on("upgrade", (_, socket) => {
      socket.destroy();
      end(new EgressError("broken", "The answer switches to another protocol"));
    });
    sent.on("close", () => answered || stale || reject(egressError({ code: "ECONNRESET" })));
    sent.end(given.body);
  });
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
    const answer = await readAnswer(await transmit(given, target, deadline), options.maxBody);
    return { ...answer, ms: Math.round(performance.now() - start) };
  } catch (error) {
    throw egressError(error);
  } finally {
    deadline.clear();
  }
}
