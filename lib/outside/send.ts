import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest, Agent as SecureAgent } from "node:https";
import { isIPv6, type LookupFunction } from "node:net";
import { env } from "@/lib/env";
import { shared } from "@/lib/shared";
import { readAnswer } from "./answer";
import { outsideError } from "./failure";
import type { Resolve } from "./resolve";
import { checkTarget, type Target } from "./target";

export interface OutsideRequest {
  url: string;
  method: "POST" | "GET";
  headers: Record<string, string>;
  body: string;
}

export interface OutsideAnswer {
  status: number;
  /** The few that tell what answered; see `readAnswer`. */
  headers: Record<string, string>;
  /** At most 16 KB of text. */
  body: string;
  ms: number;
}

/** What tests replace. */
export interface OutsideOptions {
  allowed?: readonly string[];
  resolve?: Resolve;
  timeoutMs?: number;
}

/** From looking up the name to the last byte of the answer. */
const TIMEOUT_MS = 15_000;

/** Connections stay open for the next request to the same host; a host has at most this many. */
const agents = () =>
  shared("outside.agents", () => {
    const settings = { keepAlive: true, maxSockets: 32, maxFreeSockets: 4, timeout: 20_000 };
    return { "http:": new Agent(settings), "https:": new SecureAgent(settings) };
  });

/** Answers with the addresses that were checked, so that a name that changes meanwhile changes nothing. */
function pinned(addresses: string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_host, { all }, done) => {
    const [first] = found;
    if (all) done(null, found);
    else done(first ? null : new Error("no address"), first?.address ?? "", first?.family);
  };
}

/** The answer's head. A kept connection that the other side closed just now is no answer: a new one is opened, once. */
function ask(given: OutsideRequest, target: Target, signal: AbortSignal): Promise<IncomingMessage> {
  const { protocol } = target.url;
  const secure = protocol === "https:";
  const agent = agents()[secure ? "https:" : "http:"];
  return new Promise((resolve, reject) => {
    const headers = {
      ...given.headers,
      "accept-encoding": "identity",
      "content-length": String(Buffer.byteLength(given.body)),
    };
    const options = { method: given.method, headers, agent, signal, lookup: pinned(target.addresses) };
    const sent = (secure ? httpsRequest : httpRequest)(target.url, options, resolve);
    sent.on("error", (error: NodeJS.ErrnoException) => {
      const stale = sent.reusedSocket && error.code === "ECONNRESET";
      if (stale) ask(given, target, signal).then(resolve, reject);
      else reject(error);
    });
    sent.end(given.body);
  });
}

function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

/**
 * Sends one request to an address that a tenant chose. It never reaches a private network, by whatever spelling, name
 * or redirect (none is followed), unless `OUTBOUND_ALLOW` holds the range. Any status is an answer; throws an
 * `OutsideError` with words for the log where there is none within 15 s.
 */
export async function sendOutside(
  given: OutsideRequest,
  options: OutsideOptions = {},
): Promise<OutsideAnswer> {
  const start = performance.now();
  const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  try {
    const allowed = options.allowed ?? env().OUTBOUND_ALLOW;
    const target = await within(signal, checkTarget(given.url, allowed, options.resolve));
    const answer = await readAnswer(await ask(given, target, signal));
    return { ...answer, ms: Math.round(performance.now() - start) };
  } catch (error) {
    throw outsideError(error);
  }
}
