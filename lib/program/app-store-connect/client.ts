import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { databaseNow } from "@/lib/platform/db/chunks";
import { annotateSpan, traced } from "@/lib/platform/tracing";
import { StoreError } from "@/lib/program/stores/store-api";
import { networkError, responseError } from "./errors";
import { type AppStoreKey, signToken } from "./token";

const APP_STORE_CONNECT = "https://api.appstoreconnect.apple.com";

/** Replaceable by tests. */
export interface ClientOptions {
  base?: string | undefined;
  /** Waits this many milliseconds between two tries. */
  wait?: (ms: number) => Promise<unknown>;
  timeoutMs?: number;
}

const TRIES = 3;
/** Longer waits are left to the next round. */
const LONGEST_WAIT_S = 5;
const MAX_BYTES = 8 * 1_024 * 1_024;
const MAX_PAGES = 200;

const listPage = z.object({
  data: z.array(z.object({ id: z.string(), attributes: z.record(z.string(), z.unknown()).default({}) })),
  links: z.object({ next: z.string().optional() }).default({}),
});

/** A resource of the API: its id and its attributes. */
export type Resource = z.output<typeof listPage>["data"][number];

/** Sends requests to App Store Connect with one key. Every failure is a {@link StoreError}. */
export class AppStoreClient {
  private readonly base: string;
  private readonly wait: (ms: number) => Promise<unknown>;
  private readonly timeoutMs: number;
  private token: { text: string; until: number } | undefined;

  constructor(
    private readonly key: AppStoreKey,
    { base = APP_STORE_CONNECT, wait = delay, timeoutMs = 30_000 }: ClientOptions = {},
  ) {
    this.base = base;
    this.wait = wait;
    this.timeoutMs = timeoutMs;
  }

  /** Reads a text. Temporary failures are tried again. */
  async get(path: string, accept = "application/json"): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.send(path, { headers: { accept } });
      } catch (error) {
        const pause = attempt < TRIES ? pauseAfter(error, attempt) : undefined;
        if (pause === undefined) throw error;
        await this.wait(pause);
      }
    }
  }

  /** Reads all pages of a list. The next page's address comes from the response; the key goes to no other server. */
  async list(path: string): Promise<Resource[]> {
    const found: Resource[] = [];
    let next: string | undefined = `${path}?limit=200`;
    for (let pages = 0; next !== undefined; pages++) {
      if (pages === MAX_PAGES) throw new StoreError("refused", "Apple's list has too many pages.");
      const { data, links }: z.output<typeof listPage> = parseBody(listPage, await this.get(next));
      found.push(...data);
      next = links.next === undefined ? undefined : this.pathOf(links.next);
    }
    return found;
  }

  /** Creates a resource. Does not retry: a request whose response was lost may have succeeded. */
  async post(path: string, body: object): Promise<Resource> {
    const headers = { accept: "application/json", "content-type": "application/json" };
    const text = await this.send(path, { method: "POST", headers, body: JSON.stringify(body) });
    return parseBody(z.object({ data: listPage.shape.data.element }), text).data;
  }

  private pathOf(address: string): string {
    const url = URL.canParse(address, this.base) ? new URL(address, this.base) : undefined;
    if (url?.origin !== new URL(this.base).origin) {
      throw new StoreError("refused", "Apple's response points to another server.");
    }
    return url.pathname + url.search;
  }

  private send(path: string, init: RequestInit): Promise<string> {
    const { method = "GET" } = init;
    const attributes = { "http.request.method": method, "server.address": new URL(this.base).hostname };
    return traced(method, { kind: "client", attributes }, () => this.request(path, init));
  }

  private async request(path: string, init: RequestInit): Promise<string> {
    const headers = { ...init.headers, authorization: `Bearer ${await this.bearer()}` };
    const signal = AbortSignal.timeout(this.timeoutMs);
    let response: Response;
    let text: string;
    try {
      response = await fetch(this.base + path, { ...init, headers, signal, redirect: "manual" });
      annotateSpan({ "http.response.status_code": response.status });
      text = await readBody(response);
    } catch (error) {
      throw networkError(error);
    }
    if (!response.ok) throw responseError(response.status, response.headers, text);
    return text;
  }

  private async bearer(): Promise<string> {
    const now = databaseNow();
    if (!this.token || this.token.until < now) {
      this.token = { text: await signToken(this.key, now), until: now + 5 * 60_000 };
    }
    return this.token.text;
  }
}

/** Milliseconds to wait before the next try; undefined if another try would not help. */
function pauseAfter(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof StoreError) || error.kind === "key" || error.kind === "refused") return undefined;
  if (error.kind === "busy" && error.retryAfter === undefined) return undefined;
  if (error.retryAfter !== undefined && error.retryAfter > LONGEST_WAIT_S) return undefined;
  return error.retryAfter !== undefined ? error.retryAfter * 1_000 : 250 * 4 ** (attempt - 1);
}

function parseBody<Shape>(schema: z.ZodType<Shape>, text: string): Shape {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new StoreError("unknown_outcome", "Apple's response could not be read.");
  }
}

async function readBody(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.byteLength;
    if (size > MAX_BYTES) throw new Error("the response is too long");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
