import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "@/lib/platform/env";
import { addressBucket } from "@/lib/platform/limits/address";
import { Buckets } from "@/lib/platform/limits/buckets";
import type { Bucket, Clock } from "@/lib/platform/limits/memory";
import { CLIENT_ADDRESS_HEADER, writtenAddress } from "@/lib/web/http/client-address";
import type { Pages } from "@/lib/web/server/pages";
import { pageRefusal, sendRefusal } from "@/lib/web/server/refusal";

/** Maximum concurrent pages of one web process, and of one address. A browser requests six at a time. */
const MOST = 32;
const MOST_OF_ADDRESS = 12;
const ADDRESSES = 20_000;

/** Files of the build cost next to nothing, and a first page requests dozens. */
const FILES = /^\/_next\/static\//;

/** Decides which page requests are answered: a bounded number at a time, and a number a minute per address. */
export class PageGate {
  private running = 0;
  private readonly runningOf = new Map<string, number>();
  private readonly buckets = new Buckets<Bucket>(ADDRESSES);

  constructor(
    private readonly perMinute = env().PAGES_PER_MINUTE,
    private readonly now: Clock = Date.now,
  ) {}

  /** Undefined if the request may run, followed by `leave`; otherwise the status that refuses it. */
  enter(address: string): 429 | 503 | undefined {
    const mine = this.runningOf.get(address) ?? 0;
    if (this.running >= MOST || mine >= MOST_OF_ADDRESS) return 503;
    if (!this.take(address)) return 429;
    this.running += 1;
    this.runningOf.set(address, mine + 1);
    return undefined;
  }

  leave(address: string): void {
    this.running -= 1;
    const left = (this.runningOf.get(address) ?? 1) - 1;
    if (left > 0) this.runningOf.set(address, left);
    else this.runningOf.delete(address);
  }

  private take(address: string): boolean {
    const at = this.now();
    const bucket = this.buckets.get(address) ?? { tokens: this.perMinute, refilledAt: at };
    const passed = Math.max(0, at - bucket.refilledAt);
    bucket.tokens = Math.min(this.perMinute, bucket.tokens + (passed * this.perMinute) / 60_000);
    bucket.refilledAt = at;
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens -= 1;
    this.buckets.set(address, bucket);
    return allowed;
  }
}

/** Pages behind a gate: 429 and 503 name the time of the next try. */
export function gated(pages: Pages, gate = new PageGate()): Pages {
  return async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (FILES.test(incoming.url ?? "")) return pages(incoming, outgoing);
    const address = addressBucket(writtenAddress(incoming.headers[CLIENT_ADDRESS_HEADER]));
    const refused = gate.enter(address);
    if (refused) {
      const wait = refused === 429 ? "5" : "1";
      sendRefusal(outgoing, pageRefusal(refused, { "Retry-After": wait }));
      return void incoming.resume();
    }
    outgoing.once("close", () => gate.leave(address));
    await pages(incoming, outgoing);
  };
}

/** Pages that the pages process renders at once; together they share one core, so more would only wait longer. */
const MOST_RENDERS = 48;

/** Pages that are refused with 503 while too many are under way. */
export function bounded(pages: Pages, most = MOST_RENDERS): Pages {
  let running = 0;
  return async (incoming, outgoing) => {
    if (running >= most) {
      sendRefusal(outgoing, pageRefusal(503, { "Retry-After": "1" }));
      return void incoming.resume();
    }
    running += 1;
    outgoing.once("close", () => {
      running -= 1;
    });
    await pages(incoming, outgoing);
  };
}
