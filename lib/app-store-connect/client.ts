import { setTimeout as after } from "node:timers/promises";
import { z } from "zod";
import { StoreTrouble } from "@/lib/stores/trouble";
import { refusalOf, silenceOf } from "./refusal";
import { type AppStoreKey, signToken } from "./token";

export const APP_STORE_CONNECT = "https://api.appstoreconnect.apple.com";

/** How the client meets the world; tests bring their own. */
export interface ClientOptions {
  base?: string | undefined;
  /** Waits so many milliseconds between two tries. */
  wait?: (ms: number) => Promise<unknown>;
  timeoutMs?: number;
}

const TRIES = 3;
/** Longer waits than this are left to the next round. */
const PATIENCE_S = 5;
const MOST_BYTES = 8 * 1_024 * 1_024;
const MOST_PAGES = 200;

const page = z.object({
  data: z.array(z.object({ id: z.string(), attributes: z.record(z.string(), z.unknown()).default({}) })),
  links: z.object({ next: z.string().optional() }).default({}),
});

/** A resource of the API: its id and whatever it says of itself. */
export type Resource = z.output<typeof page>["data"][number];

/** Requests to App Store Connect with one key; every failure is a `StoreTrouble`. */
export class AppStoreClient {
  private readonly base: string;
  private readonly wait: (ms: number) => Promise<unknown>;
  private readonly timeoutMs: number;
  private token: { text: string; until: number } | undefined;

  constructor(
    private readonly key: AppStoreKey,
    { base = APP_STORE_CONNECT, wait = after, timeoutMs = 30_000 }: ClientOptions = {},
  ) {
    this.base = base;
    this.wait = wait;
    this.timeoutMs = timeoutMs;
  }

  /** Reads a text; what passes by itself is tried again. */
  async get(path: string, accept = "application/json"): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.send(path, { headers: { accept } });
      } catch (error) {
        const pause = attempt < TRIES ? pauseOf(error, attempt) : undefined;
        if (pause === undefined) throw error;
        await this.wait(pause);
      }
    }
  }

  /** All pages of a list. The next page's address comes from the answer, and the key goes to no other server. */
  async list(path: string): Promise<Resource[]> {
    const found: Resource[] = [];
    let next: string | undefined = `${path}?limit=200`;
    for (let pages = 0; next !== undefined; pages++) {
      if (pages === MOST_PAGES) throw new StoreTrouble("refused", "Apple's list does not end.");
      const { data, links }: z.output<typeof page> = read(page, await this.get(next));
      found.push(...data);
      next = links.next === undefined ? undefined : this.pathOf(links.next);
    }
    return found;
  }

  /** Makes something. Never tried again from here: the answer that was lost may have been a yes. */
  async post(path: string, body: object): Promise<Resource> {
    const headers = { accept: "application/json", "content-type": "application/json" };
    const text = await this.send(path, { method: "POST", headers, body: JSON.stringify(body) });
    return read(z.object({ data: page.shape.data.element }), text).data;
  }

  private pathOf(address: string): string {
    const url = URL.canParse(address, this.base) ? new URL(address, this.base) : undefined;
    if (url?.origin !== new URL(this.base).origin) {
      throw new StoreTrouble("refused", "Apple's answer leads to another server.");
    }
    return url.pathname + url.search;
  }

  private async send(path: string, init: RequestInit): Promise<string> {
    const headers = { ...init.headers, authorization: `Bearer ${await this.bearer()}` };
    const signal = AbortSignal.timeout(this.timeoutMs);
    let answer: Response;
    let text: string;
    try {
      answer = await fetch(this.base + path, { ...init, headers, signal, redirect: "manual" });
      text = await bodyOf(answer);
    } catch (error) {
      throw silenceOf(error);
    }
    if (!answer.ok) throw refusalOf(answer.status, answer.headers, text);
    return text;
  }

  private async bearer(): Promise<string> {
    const now = Date.now();
    if (!this.token || this.token.until < now) {
      this.token = { text: await signToken(this.key, now), until: now + 5 * 60_000 };
    }
    return this.token.text;
  }
}

/** How long to wait before asking again; nothing where that would not help. */
function pauseOf(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof StoreTrouble) || error.kind === "key" || error.kind === "refused") return undefined;
  if (error.kind === "busy" && error.retryAfter === undefined) return undefined;
  if (error.retryAfter !== undefined && error.retryAfter > PATIENCE_S) return undefined;
  return error.retryAfter !== undefined ? error.retryAfter * 1_000 : 250 * 4 ** (attempt - 1);
}

function read<Shape>(schema: z.ZodType<Shape>, text: string): Shape {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new StoreTrouble("unsure", "Apple's answer could not be read.");
  }
}

async function bodyOf(answer: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of answer.body ?? []) {
    size += piece.byteLength;
    if (size > MOST_BYTES) throw new Error("the answer is too long");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
