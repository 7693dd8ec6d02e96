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
import { pageRefusal, sendRefusal } from "@/lib/web/server/refusal";

/** Maximum concurrent pages of one web process, and files in addition, which take as long as their senders want. */
const MOST = 32;
const MOST_FILES = 8;

/** Of one address. A browser requests six at a time; colleagues share the address of their office, so more of them wait. */
const MOST_OF_ADDRESS = 12;
const MOST_FILES_OF_ADDRESS = 2;
const MOST_WAITING = 36;
const ADDRESSES = 20_000;

/** Assets of the build cost next to nothing, and a first page requests dozens. */
const ASSETS = /^\/_next\/static\//;

/** Decides which page requests are answered: a bounded number at a time, and a number a minute per address. */
export class PageGate {
  private running = 0;
  private readonly limits = new Map<string, LimitFunction>();
  private readonly buckets = new RecentMap<Bucket>(ADDRESSES);

  constructor(
    private readonly perMinute = env().PAGES_PER_MINUTE,
    private readonly now: Clock = Date.now,
    private readonly most = MOST,
    private readonly ofAddress = MOST_OF_ADDRESS,
  ) {}

  /** Runs `page` when it is its turn; without running it, resolves to the status that refuses it. */
  async visit(address: string, page: () => Promise<void>): Promise<429 | 503 | undefined> {
    const limit = this.limits.get(address) ?? pLimit(this.ofAddress);
    const mine = limit.activeCount + limit.pendingCount;
    if (mine < this.ofAddress ? this.running >= this.most : mine >= this.ofAddress + MOST_WAITING) return 503;
    if (!this.take(address)) return 429;
    this.limits.set(address, limit);
    await limit(() => this.run(page));
    if (limit.activeCount + limit.pendingCount === 0) this.limits.delete(address);
    return undefined;
  }

  private async run(page: () => Promise<void>): Promise<void> {
    this.running += 1;
    try {
      await page();
    } finally {
      this.running -= 1;
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

/** Reads the bodies of pages into memory, of one address a bounded number at a time; the others are "crowded". */
function bodyReader() {
  const arriving = new Map<string, number>();
  return async (incoming: IncomingMessage, address: string) => {
    if (!hasBody(incoming)) return readBody(incoming);
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

/**
 * Pages behind a gate: 429 and 503 name the time of the next try. A request takes no place before its body has arrived,
 * so that clients who send slowly keep no others out; files, which are streamed, have a gate of their own.
 */
export function gated(
  pages: PageHandler,
  gate = new PageGate(),
  files = new PageGate(undefined, undefined, MOST_FILES, MOST_FILES_OF_ADDRESS),
): PageHandler {
  const readForm = bodyReader();
  return async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const path = pathOf(incoming);
    const isFile = UPLOAD_PATH.test(path);
    const address = addressBucket(writtenAddress(incoming.headers[CLIENT_ADDRESS_HEADER]));
    const refuse = (status: 429 | 503) => {
      sendRefusal(outgoing, pageRefusal(status, { "Retry-After": status === 429 ? "5" : "1" }));
      incoming.resume();
    };
    const body = isFile ? undefined : await readForm(incoming, address);
    if (body === "gone") return;
    if (body === "crowded") return refuse(503);
    if (body === "timeout") {
      outgoing.shouldKeepAlive = false;
      return sendRefusal(outgoing, pageRefusal(408));
    }
    if (ASSETS.test(path)) return pages(incoming, outgoing, body);
    const refused = await (isFile ? files : gate).visit(address, async () => {
      // It left while it waited.
      if (outgoing.destroyed) return;
      const closed = new Promise((resolve) => outgoing.once("close", resolve));
      await pages(incoming, outgoing, body);
      await closed;
    });
    if (refused) refuse(refused);
  };
}

/** Pages that the pages process renders at once; together they share one core, so more would only wait longer. */
const MOST_RENDERS = 48;

/** Pages that are refused with 503 while too many are under way; files are not counted, because their gate does. */
export function bounded(pages: PageHandler, most = MOST_RENDERS): PageHandler {
  let running = 0;
  return async (incoming, outgoing) => {
    if (UPLOAD_PATH.test(pathOf(incoming))) return pages(incoming, outgoing);
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
