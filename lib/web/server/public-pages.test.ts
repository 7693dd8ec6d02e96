import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "@/lib/testing/folder";
import { exchange, heldRequests, noteTurns } from "@/lib/testing/http/raw-http";
import { contentSecurityPolicy } from "@/lib/web/session/page-headers";
import { PublicPages } from "./public-pages";

Object.assign(process.env, { APP_URL: "https://metacode.example", LOG_LEVEL: "silent" });

interface Rendered {
  status?: number;
  headers?: Record<string, string>;
}

let nonces = 0;

/** Serves pages to visitors, at the port that it returns, and to themselves. */
async function listen(address: string, answer: PublicPages["answer"]): Promise<number> {
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void answer(incoming, outgoing);
  const [inner, outer] = [createServer(listener).listen(address), createServer(listener).listen(0)];
  await Promise.all([once(outer, "listening"), once(inner, "listening")]);
  onTestFinished(() => {
    for (const server of [inner, outer]) server.close().closeAllConnections();
  });
  return (outer.address() as AddressInfo).port;
}

/** A pages process whose framework counts what it renders; `/other` is different for every visitor. */
async function start({ status = 200, headers = {} }: Rendered = {}) {
  const rendered: string[] = [];
  const render = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const nonce = `nonce${String(nonces++).padStart(19, "0")}`;
    rendered.push(incoming.url ?? "");
    outgoing.writeHead(status, {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": contentSecurityPolicy(nonce),
      "Cache-Control": "no-store",
      Link: `</font.woff2>; rel=preload; nonce="${nonce}"`,
      ...headers,
    });
    const theme = incoming.headers.cookie ?? "no cookie";
    outgoing.end(`<p>${theme}</p><script nonce="${nonce}">1</script><style nonce="${nonce}"></style>`);
  };
  const address = join(await temporaryFolder(), "pages.sock");
  const pathOf = (url: string) => {
    if (url.startsWith("/docs/not")) return "/docs/not-found";
    return url.startsWith("/other") ? undefined : "/docs";
  };
  const { answer } = new PublicPages(address, render, pathOf);
  const port = await listen(address, answer);
  const get = (path: string, more = "", method = "GET") =>
    exchange(port, `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${more}Connection: close\r\n\r\n`);
  return { get, rendered, port, answer };
}

const nonceOf = (policy = "") => /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";

test("a public page is rendered once for all simultaneous requests, however its address is written", async () => {
  const { get, rendered } = await start();
  const answers = await Promise.all(["/docs", "/docs?n=1", "/docs?n=2", "/docs/"].map((path) => get(path)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(rendered).toEqual(["/docs"]);
});

test("between two simultaneous public pages the event loop has a turn for other requests", async () => {
  const { get, answer } = await start();
  await get("/docs");
  const { held, answers } = await heldRequests(5);
  const order: string[] = [];
  const stop = noteTurns(order);
  await Promise.all(held.map((pair) => answer(...pair).then(() => order.push("page"))));
  stop();
  expect(order.filter((entry) => entry === "page")).toHaveLength(5);
  expect(order.join(" ")).not.toContain("page page");
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
});

test("every visitor gets a nonce of their own, in the policy and in the page", async () => {
  const { get } = await start();
  const answers = await Promise.all(Array.from({ length: 3 }, () => get("/docs")));
  const seen = answers.map(({ headers, body }) => {
    const nonce = nonceOf(headers["content-security-policy"]);
    expect(body.split(`nonce="${nonce}"`)).toHaveLength(3);
    expect(headers.link).toContain(`nonce="${nonce}"`);
    return nonce;
  });
  expect(new Set(seen).size).toBe(3);
  expect(seen.join()).not.toContain("nonce");
});

test("a stored page binds a host of the service to HTTPS and no other", async () => {
  const { port } = await start({ headers: { "Strict-Transport-Security": "max-age=1" } });
  const bound = async (host: string) => {
    const request = `GET /docs HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    return (await exchange(port, request)).headers["strict-transport-security"];
  };
  expect(await bound("invite.shop.example")).toBeUndefined();
  expect(await bound("metacode.example")).toContain("max-age=");
  expect(await bound("invite.shop.example")).toBeUndefined();
});

test("a page of a visitor with a session, a part of a page and a form are never stored ones", async () => {
  const { get, rendered } = await start();
  await get("/docs");
  await get("/docs", "Cookie: metacode.session=x\r\n");
  await get("/docs", "Cookie: a=b; __Host-metacode.step=x\r\n");
  await get("/docs", "RSC: 1\r\n");
  await get("/docs", "Next-Router-Prefetch: 1\r\n");
  await get("/docs", "", "POST");
  await get("/other");
  await get("/other");
  expect(rendered).toHaveLength(8);
});

test("a page that is missing among the guides has the status 404, stored or drawn for one visitor", async () => {
  const { get, rendered } = await start();
  for (const more of ["", "", "Cookie: metacode.session=x\r\n", "RSC: 1\r\n"])
    expect([more, (await get("/docs/nothing", more)).status]).toEqual([more, 404]);
  expect(rendered).toHaveLength(3);
});

test("light and dark are stored separately, and other cookies make no difference", async () => {
  const { get, rendered } = await start();
  const cookies = ["theme=dark", "theme=light", "visit=1", "theme=pink", "visit=2; theme=dark"];
  const bodies: string[] = [];
  for (const cookie of cookies) bodies.push((await get("/docs", `Cookie: ${cookie}\r\n`)).body);
  expect(rendered).toHaveLength(3);
  expect(bodies.map((body) => /<p>(.*?)<\/p>/.exec(body)?.[1])).toEqual([
    "theme=dark",
    "theme=light",
    "no cookie",
    "no cookie",
    "theme=dark",
  ]);
});

test("a browser that has the page gets 304, without a policy that would not fit its scripts", async () => {
  const { get } = await start();
  const { headers } = await get("/docs");
  expect(headers["cache-control"]).toBe("private, no-cache");
  const again = await get("/docs", `If-None-Match: ${headers.etag}\r\n`);
  expect([again.status, again.body]).toEqual([304, ""]);
  expect(again.headers.etag).toBe(headers.etag);
  expect(again.headers).not.toHaveProperty("content-security-policy");
});

test("the compressed page is the page, and HEAD has its length", async () => {
  const { get, port } = await start();
  const response = await fetch(`http://127.0.0.1:${port}/docs`, { headers: { "accept-encoding": "gzip" } });
  const text = await response.text();
  expect(response.headers.get("content-encoding")).toBe("gzip");
  expect(text).toContain(`nonce="${nonceOf(response.headers.get("content-security-policy") ?? "")}"`);
  const head = await get("/docs", "", "HEAD");
  const whole = await get("/docs");
  expect(Number(head.headers["content-length"])).toBe(whole.body.length);
  expect(() => gunzipSync(Buffer.from(whole.body, "latin1"))).toThrow();
});

test.each([
  ["an error", { status: 500 }],
  ["a redirect", { status: 307 }],
  ["with a cookie", { headers: { "Set-Cookie": "a=b" } }],
  ["that is no page", { headers: { "Content-Type": "application/json" } }],
  ["without a nonce", { headers: { "Content-Security-Policy": "default-src 'self'" } }],
])("a response %s is never stored", async (_name, response) => {
  const { get, rendered } = await start(response);
  const status = "status" in response ? response.status : 200;
  expect((await get("/docs")).status).toBe(status);
  expect((await get("/docs")).status).toBe(status);
  // Each visit renders the page twice: in an attempt to store it, and for the response.
  expect(rendered).toHaveLength(4);
});

test("the page for unknown addresses is stored too, and stays a 404", async () => {
  const { get, rendered } = await start({ status: 404 });
  expect((await get("/nothing-1")).status).toBe(404);
  const { etag = "" } = (await get("/nothing-2")).headers;
  expect((await get("/nothing-3", `If-None-Match: ${etag}\r\n`)).status).toBe(404);
  expect(rendered).toHaveLength(1);
});

test("a rendering that never ends is given up, and its page is rendered for each visitor until one ends", async () => {
  const address = join(await temporaryFolder(), "pages.sock");
  let ends = false;
  const rendered: (string | undefined)[] = [];
  const render = async ({ headers }: IncomingMessage, outgoing: ServerResponse) => {
    const forAll = headers["x-metacode-render"];
    rendered.push(forAll && "for all");
    if (forAll && !ends) return;
    const headersOfPage = {
      "Content-Type": "text/html",
      "Content-Security-Policy": contentSecurityPolicy("a"),
    };
    outgoing.writeHead(200, headersOfPage).end("<p>page</p>");
  };
  const { answer } = new PublicPages(address, render, () => "/docs", 100);
  const port = await listen(address, answer);
  const get = () => exchange(port, "GET /docs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  expect((await get()).status).toBe(200);
  ends = true;
  expect((await get()).status).toBe(200);
  expect(rendered).toEqual(["for all", undefined, "for all"]);
});
