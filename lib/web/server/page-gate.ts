import type { IncomingMessage, ServerResponse } from "node:http";
import pLimit, { type LimitFunction } from "p-limit";
import { env } from "@/lib/platform/env";
import { addressBucket } from "@/lib/platform/limits/address";
import type { Bucket, Clock } from "@/lib/platform/limits/memory";
import { RecentMap } from "@/lib/platform/limits/recent-map";
import { CLIENT_ADDRESS_HEADER, writtenAddress } from "@/lib/web/http/client-address";
import { UPLOAD_PATH } from "@/lib/web/http/upload";
import { hasBody, readBody } from "@/lib/web/server/body";
import { MAX_FORM } from "@/lib/web/server/guard";
import type { PageHandler } from "@/lib/web/server/pages";
import { apiRefusal, pageRefusal, sendRefusal } from "@/lib/web/server/refusal";

/** Maximum concurrent pages of one web process, and files in addition, which take as long as their senders want. */
const MOST = 32;
const MOST_FILES = 8;

/** Maximum per address. A browser requests six at a time; colleagues share their company's address, so more may wait. */
const MOST_OF_ADDRESS = 12;
const MOST_FILES_OF_ADDRESS = 2;
const MOST_WAITING = 36;
const ADDRESSES = 20_000;

/** Maximum pages that have given up their places to wait for slow readers; with more, the first of them is cut. */
const MOST_STALLED = 256;

/** Milliseconds between two checks of a response; one that waits for its reader at both gives up its place. */
const LOOK_EVERY = 1_000;

/** Milliseconds until a 429 is sent, so that a caller that repeats the request at once costs next to nothing. */
const REFUSAL_DELAY = 250;

/** Assets of the build cost next to nothing, and a first page requests dozens. */
const ASSETS = /^\/_next\/static\//;

/** The places of pages under way. */
class Places {
  taken = 0;

  /** Takes a place and returns the function that gives it up, which counts once. */
  take(): () => void {
    this.taken += 1;
    let held = true;
    return () => {
      if (held) this.taken -= 1;
      held = false;
    };
  }
}

/** Decides which page requests are answered: a bounded number at a time, and a number a minute per address. */
export class PageGate {
  private readonly places = new Places();
  private readonly limits = new Map<string, LimitFunction>();
  private readonly buckets = new RecentMap<Bucket>(ADDRESSES);

  constructor(
    private readonly perMinute = env().PAGES_PER_MINUTE,
    private readonly now: Clock = Date.now,
    private readonly most = MOST,
    private readonly ofAddress = MOST_OF_ADDRESS,
  ) {}

  /**
   * Runs `page` in its turn, or resolves to the status of its refusal. A page may give up its place before it ends, but
   * still counts for its address.
   */
  async visit(address: string, page: (giveUp: () => void) => Promise<void>): Promise<429 | 503 | undefined> {
    const limit = this.limits.get(address) ?? pLimit(this.ofAddress);
    const mine = limit.activeCount + limit.pendingCount;
    if (mine < this.ofAddress ? this.places.taken >= this.most : mine >= this.ofAddress + MOST_WAITING)
      return 503;
    if (!this.take(address)) return 429;
    this.limits.set(address, limit);
    await limit(() => this.run(page));
    if (limit.activeCount + limit.pendingCount === 0) this.limits.delete(address);
    return undefined;
  }

  private async run(page: (giveUp: () => void) => Promise<void>): Promise<void> {
    const giveUp = this.places.take();
    try {
      await page(giveUp);
    } finally {
      giveUp();
    }
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

const pathOf = ({ url = "" }: IncomingMessage) => url.split("?", 1)[0] ?? "";

/** Reads request bodies into memory, a bounded number per address at a time; any more are "crowded". */
function bodyReader() {
  const arriving = new Map<string, number>();
  return async (incoming: IncomingMessage, address: string) => {
    if (!hasBody(incoming)) return readBody(incoming, 0);
    const others = arriving.get(address) ?? 0;
    if (others >= MOST_OF_ADDRESS) return "crowded";
    arriving.set(address, others + 1);
    const body = await readBody(incoming, MAX_FORM + 1);
    const left = (arriving.get(address) ?? 1) - 1;
    if (left > 0) arriving.set(address, left);
    else arriving.delete(address);
    return body;
  };
}

/** Resolves when an open response is closed; calls `onStall`, perhaps several times, while it waits for a slow reader. */
function closed(outgoing: ServerResponse, onStall: () => void): Promise<void> {
  return new Promise((resolve) => {
    let waited = false;
    const look = setInterval(() => {
      const waits = outgoing.writableLength > 0;
      if (waits && waited) onStall();
      waited = waits;
    }, LOOK_EVERY);
    outgoing.once("close", () => {
      clearInterval(look);
      resolve();
    });
  });
}

/** Remembers responses that wait for slow readers, and cuts the first of them when there are too many. */
function stalledResponses(most: number) {
  const stalled = new Set<ServerResponse>();
  return (outgoing: ServerResponse) => {
    if (stalled.has(outgoing)) return;
    stalled.add(outgoing);
    outgoing.once("close", () => stalled.delete(outgoing));
    const [first] = stalled;
    if (stalled.size > most) first?.destroy();
  };
}

/** A refusal for the reader of a path: the envelope below /api, else a page. */
const refusalFor = (path: string, status: keyof typeof CODES, headers?: Record<string, string>) =>
  path.startsWith("/api/") ? apiRefusal(CODES[status], undefined, headers) : pageRefusal(status, headers);

const CODES = { 408: "REQUEST_TIMEOUT", 429: "RATE_LIMITED", 503: "SERVICE_UNAVAILABLE" } as const;

/**
 * Pages behind a gate, whose 429 and 503 say when to retry. A request takes a place only after its body has arrived, and
 * gives it up while its reader is slow, so slow clients keep no others out. Files are streamed and have a separate gate.
 */
export function gated(
  pages: PageHandler,
  gate = new PageGate(),
  files = new PageGate(undefined, undefined, MOST_FILES, MOST_FILES_OF_ADDRESS),
  mostStalled = MOST_STALLED,
): PageHandler {
  const readForm = bodyReader();
  const stall = stalledResponses(mostStalled);
  return async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const path = pathOf(incoming);
    const isFile = UPLOAD_PATH.test(path);
    const address = addressBucket(writtenAddress(incoming.headers[CLIENT_ADDRESS_HEADER]));
    const refuse = (status: 429 | 503) => {
      sendRefusal(outgoing, refusalFor(path, status, { "Retry-After": status === 429 ? "5" : "1" }));
      incoming.resume();
    };
    const body = isFile ? undefined : await readForm(incoming, address);
    if (body === "gone") return;
    if (body === "crowded") return refuse(503);
    if (body === "timeout") {
      outgoing.shouldKeepAlive = false;
      return sendRefusal(outgoing, refusalFor(path, 408));
    }
    if (ASSETS.test(path)) return pages(incoming, outgoing, body);
    const refused = await (isFile ? files : gate).visit(address, async (giveUp) => {
      // The client left while it waited.
      if (outgoing.destroyed) return;
      const end = closed(outgoing, () => {
        giveUp();
        stall(outgoing);
      });
      await pages(incoming, outgoing, body);
      await end;
    });
    if (refused === 429) await new Promise((resolve) => setTimeout(resolve, REFUSAL_DELAY));
    if (refused) refuse(refused);
  };
}

/** Maximum pages that the pages process renders at once; they share one core, so more would only take longer. */
const MOST_RENDERS = 48;

/** Refuses pages with 503 while too many are under way; files are not counted here, because their gate counts them. */
export function bounded(pages: PageHandler, most = MOST_RENDERS): PageHandler {
  const places = new Places();
  return async (incoming, outgoing) => {
    const path = pathOf(incoming);
    if (UPLOAD_PATH.test(path)) return pages(incoming, outgoing);
    // The client left before its turn, so no further close event would free a place.
    if (outgoing.destroyed) return;
    if (places.taken >= most) {
      sendRefusal(outgoing, refusalFor(path, 503, { "Retry-After": "1" }));
      return void incoming.resume();
    }
    const giveUp = places.take();
    void closed(outgoing, giveUp).then(giveUp);
    await pages(incoming, outgoing);
  };
}
