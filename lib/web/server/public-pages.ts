import { createHash } from "node:crypto";
import { type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { parseCookie } from "cookie";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import { addressToken, CLIENT_ADDRESS_HEADER } from "@/lib/web/http/client-address";
import { matchesTag } from "@/lib/web/http/document";
import { namesGzip } from "@/lib/web/http/preferences";
import { createNonce } from "@/lib/web/http/responses";
import { PageTemplate } from "@/lib/web/landing/page-template";
import type { PageHandler } from "@/lib/web/server/pages";
import { connectionTo } from "@/lib/web/server/pages-address";
import { NOWHERE_IN_DOCS, publicPaths } from "@/lib/web/server/public-paths";
import { transportHeaders } from "@/lib/web/session/page-headers";

interface PublicPage {
  status: number;
  /** The policy and links to preload name the nonce, too. */
  headers: [name: string, value: string][];
  nonce: string;
  template: PageTemplate<"nonce">;
  tag: string;
}

/** Every guide in three themes fits; at most 20 MB as plain text and gzip. */
const MAX_PAGES = 200;
const TTL = 600_000;

/** Milliseconds without a byte after which a rendering is given up: all visitors of the page wait for it. */
const SILENCE = 60_000;

/** Marks the request that renders a page to store it. */
const RENDER_HEADER = "x-metacode-render";

/** Headers of the framework's page transitions, which ask for parts of a page. */
const PARTS = ["rsc", "next-router-prefetch", "next-router-state-tree", "next-router-segment-prefetch"];

const PASSED_ON =
  /^(content-type|content-language|content-security-policy|link|referrer-policy|permissions-policy|x-|cross-origin-)/;

/** Pages rendered when the process starts, so that the first visitors do not wait for modules to load. */
const FIRST = ["/", "/docs", "/docs/quickstart", "/sign-in", "/not-found"];

/**
 * Stores pages that are the same for everyone, so that each is rendered once and not for every visitor. A stored page gets
 * a new nonce for each response, like a rendered one.
 */
export class PublicPages {
  private readonly stored = new LRUCache<string, PublicPage>({
    max: MAX_PAGES,
    ttl: TTL,
    fetchMethod: (key) => this.render(key),
  });

  /** Sends one stored page per turn of the event loop, which serves other requests in between. */
  private readonly inTurn = pLimit(1);

  /** `address` is this process's own: it requests a page from itself as a visitor would. */
  constructor(
    private readonly address: string,
    private readonly pages: PageHandler,
    private readonly pathOf = publicPaths(),
    private readonly silence = SILENCE,
  ) {}

  readonly answer: PageHandler = async (incoming, outgoing) => {
    const key = this.keyOf(incoming);
    const page = key && (await this.stored.fetch(key).catch(() => undefined));
    if (!page) {
      if (this.pathOf(incoming.url ?? "/") === NOWHERE_IN_DOCS) answerMissing(outgoing);
      return this.pages(incoming, outgoing);
    }
    await this.inTurn(setImmediate);
    send(page, incoming, outgoing);
  };

  async warmUp(): Promise<void> {
    for (const path of FIRST) await this.stored.fetch(` ${path}`).catch(() => undefined);
    await this.ask("/dashboard", "").catch(() => undefined);
  }

  /** Theme and path of a page for everyone; undefined for a visitor with a session or a sign-in under way. */
  private keyOf({ method, url = "/", headers }: IncomingMessage): string | undefined {
    if (method !== "GET" && method !== "HEAD") return undefined;
    if (RENDER_HEADER in headers || PARTS.some((name) => name in headers)) return undefined;
    const cookies = parseCookie(headers.cookie ?? "");
    if (Object.keys(cookies).some((name) => /^(?:__Host-)?metacode\./.test(name))) return undefined;
    const path = this.pathOf(url);
    const theme = cookies.theme === "light" || cookies.theme === "dark" ? cookies.theme : "";
    return path && `${theme} ${path}`;
  }

  /** Renders a page to store. Returns undefined, which is not stored, unless the page is complete and has a nonce. */
  private async render(key: string): Promise<PublicPage | undefined> {
    const [theme = "", path = ""] = key.split(" ");
    const { status, headers, body } = await this.ask(path, theme);
    const policy = String(headers["content-security-policy"]);
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
    const whole = status === 200 || status === 404;
    if (!whole || !nonce || headers["set-cookie"] || !headers["content-type"]?.startsWith("text/html"))
      return undefined;
    const tag = `"${createHash("sha256").update(body.replaceAll(nonce, "")).digest("base64url").slice(0, 22)}"`;
    const passed = Object.entries(headers).filter(([name]) => PASSED_ON.test(name));
    return {
      status,
      headers: passed.map(([name, value]) => [name, String(value)]),
      nonce,
      template: new PageTemplate(body, { nonce }),
      tag,
    };
  }

  private ask(
    path: string,
    theme: string,
  ): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
    const headers = {
      host: "localhost",
      accept: "text/html",
      [CLIENT_ADDRESS_HEADER]: `${addressToken()}unknown`,
      [RENDER_HEADER]: "1",
      ...(theme && { cookie: `theme=${theme}` }),
    };
    return new Promise((resolve, reject) => {
      const options = { ...connectionTo(this.address), path, headers, agent: false, timeout: this.silence };
      const rendering = request(options, (response) => {
        const { statusCode: status = 0, headers: answered } = response;
        text(response).then((body) => resolve({ status, headers: answered, body }), reject);
      });
      rendering.once("timeout", () => rendering.destroy(new Error("silent")));
      rendering.once("error", reject).end();
    });
  }
}

/** Makes the status of a rendered page 404. */
function answerMissing(outgoing: ServerResponse): void {
  const writeHead = outgoing.writeHead.bind(outgoing);
  outgoing.writeHead = ((status: number, ...rest: never[]) =>
    writeHead(status === 200 ? 404 : status, ...rest)) as typeof outgoing.writeHead;
}

function send(page: PublicPage, { method, headers }: IncomingMessage, outgoing: ServerResponse): void {
  const caching = {
    ETag: page.tag,
    // A session, the theme and the framework's headers lead to another response at the same address.
    "Cache-Control": "private, no-cache",
    Vary: "Cookie, RSC, Next-Router-State-Tree, Next-Router-Prefetch, Accept-Encoding",
  };
  // Without a policy: the browser keeps the policy of its cached page, with the nonce of that page's scripts.
  if (page.status === 200 && matchesTag(headers["if-none-match"], page.tag))
    return void outgoing.writeHead(304, caching).end();
  const nonce = createNonce();
  const gzip = namesGzip(headers["accept-encoding"]);
  const body = gzip ? page.template.gzip({ nonce }) : page.template.plain({ nonce });
  outgoing.writeHead(page.status, {
    ...Object.fromEntries(page.headers.map(([name, value]) => [name, value.replaceAll(page.nonce, nonce)])),
    ...transportHeaders(headers.host),
    ...caching,
    "Content-Length": body.length,
    ...(gzip && { "Content-Encoding": "gzip" }),
  });
  outgoing.end(method === "HEAD" ? undefined : body);
}
