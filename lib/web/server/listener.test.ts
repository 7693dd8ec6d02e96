import { EventEmitter, once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { log } from "@/lib/platform/log";
import { exchange, heldRequests, noteTurns } from "@/lib/testing/http/raw-http";
import { readBody } from "./body";
import { createHttpServer } from "./http-server";
import { requestListener, type Site } from "./listener";
import { createRouteTable } from "./table";

process.env.LOG_LEVEL = "silent";
process.env.APP_URL = "https://metacode.example";
process.env.AUTH_SECRET = "s".repeat(32);

/** Serves a site until the test ends; returns its port. */
async function listen(site: Site): Promise<number> {
  const server = createHttpServer(site);
  onTestFinished(() => void server.close().closeAllConnections());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

test("a link whose page fails is not written to the log, because a reader of the log could use it", async () => {
  const error = vi.spyOn(log(), "error");
  const pages = async () => {
    throw new Error("broken on purpose");
  };
  const port = await listen({ table: createRouteTable([]), pages, hops: 0, draining: () => false });
  const token = "Zm9yLW5vYm9keS1lbHNlLXRvLXJlYWQtYXQtYWxs";
  const answer = await fetch(`http://127.0.0.1:${port}/reset/${token}?next=%2Fa-secret`);
  expect(answer.status).toBe(500);
  const [[line] = []] = error.mock.calls;
  expect(line).toMatchObject({ path: "/reset/…" });
  expect(JSON.stringify(error.mock.calls)).not.toMatch(/Zm9y|secret/);
});

test("between two simultaneous pages the event loop has two turns for calls of the API; files and visitors that left take none", async () => {
  const { held, answers } = await heldRequests(6);
  const order: string[] = [];
  const pages: Site["pages"] = async (_incoming, outgoing) => {
    order.push("page");
    outgoing.end();
  };
  const files: Site["files"] = (_incoming, outgoing) => {
    if (outgoing !== held[5]?.[1]) return false;
    order.push("file");
    outgoing.end();
    return true;
  };
  const site = { table: createRouteTable([]), pages, files, hops: 0, draining: () => false };
  const listener = requestListener(site, () => undefined);
  const stop = noteTurns(order);
  for (const pair of held) listener(...pair);
  held[2]?.[1].destroy();
  await Promise.allSettled(answers);
  stop();
  expect(order.join(" ")).toMatch(/^file turn (?:turn )?page(?: turn turn page){3}(?: turn)*$/);
});

test("a proxy in front that is missing in the settings is reported once", async () => {
  const warn = vi.spyOn(log(), "warn");
  const pages: Site["pages"] = async (_incoming, outgoing) => void outgoing.end("page");
  const port = await listen({ table: createRouteTable([]), pages, hops: 0, draining: () => false });
  const ask = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}/`, { headers: { ...headers, connection: "close" } });
  // Work that an earlier test file in this process began may warn, too.
  const warnings = () => warn.mock.calls.flat().filter((text) => `${text}`.includes("TRUSTED_PROXIES"));
  await ask({});
  expect(warnings()).toEqual([]);
  for (const address of ["192.0.2.1", "192.0.2.2"]) await ask({ "x-forwarded-for": address });
  expect(warnings()).toHaveLength(1);
});

test("a body is read up to the limit of its route and one byte, and the rest is dropped as it arrives", async () => {
  const size = async (request: Request) => Response.json((await request.arrayBuffer()).byteLength);
  const paths = ["/api/referrer", "/api/webhooks/[id]", "/api/providers/[provider]/[connectionId]"];
  const table = createRouteTable(paths.map((path) => ({ path, module: { POST: size } })));
  const pages: Site["pages"] = async (_incoming, outgoing) => void outgoing.end("page");
  const port = await listen({ table, pages, hops: 0, draining: () => false });
  const readFrom = async (path: string, sent: number) => {
    const body = new Blob(["x".repeat(sent)]).stream();
    const options = { method: "POST", body, duplex: "half", headers: { connection: "close" } };
    return (await fetch(`http://127.0.0.1:${port}${path}`, options as RequestInit)).json();
  };
  for (const path of ["/api/referrer", "/api/referrer/", "/api/webhooks/providers"]) {
    expect(await readFrom(path, 16_384)).toBe(16_384);
    expect(await readFrom(path, 300_000)).toBe(16_385);
  }
  for (const path of ["/api/providers/generic/x", "/api/providers/%67eneric/x/"]) {
    expect(await readFrom(path, 262_144)).toBe(262_144);
    expect(await readFrom(path, 300_000)).toBe(262_145);
  }
});

test("a body that does not end is read for 96 MiB, and then its connection is cut", () => {
  const destroy = vi.fn();
  const headers = { "transfer-encoding": "chunked" };
  const incoming = Object.assign(new EventEmitter(), { headers, destroy }) as unknown as IncomingMessage;
  void readBody(incoming, 10);
  const chunk = Buffer.alloc(16 * 1024 ** 2);
  for (let sent = 0; sent < 6; sent++) incoming.emit("data", chunk);
  expect(destroy).not.toHaveBeenCalled();
  incoming.emit("data", chunk);
  expect(destroy).toHaveBeenCalled();
  incoming.emit("close");
});

test("an app's own domain is not bound to HTTPS, because it belongs to its owner", async () => {
  const missing = () => new Response("none", { status: 404 });
  const table = createRouteTable([{ path: "/r/[slug]", module: { GET: missing } }]);
  const pages: Site["pages"] = async (_incoming, outgoing) => void outgoing.end("page");
  const appOfHost = async () => "an app";
  const port = await listen({ table, pages, appOfHost, hops: 0, draining: () => false });
  for (const [path, status] of Object.entries({ "/r/unknown": 404, "/nothing": 404, "/%00": 400 })) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    expect([path, answer.status, answer.headers.get("x-frame-options")]).toEqual([path, status, "DENY"]);
    expect([path, answer.headers.get("strict-transport-security")]).toEqual([path, null]);
  }
});

test.each(["starting", "draining"])(
  "readiness is a 503 with a time to retry while the process is %s",
  async (state) => {
    const ready = () => Response.json({ status: "ok" });
    const table = createRouteTable(
      ["health", "ready", "live"].map((name) => ({ path: `/api/${name}`, module: { GET: ready } })),
    );
    const pages: Site["pages"] = async (_incoming, outgoing) => void outgoing.end("page");
    const site = {
      table,
      pages,
      hops: 0,
      ready: () => state !== "starting",
      draining: () => state === "draining",
    };
    const port = await listen(site);
    const ask = (target: string) => exchange(port, `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    for (const path of ["/api/ready", "/api/health/", "/api/ready?database=ignore"])
      for (const target of [path, `http://localhost${path}`]) {
        const { status, headers } = await ask(target);
        expect([target, status, headers["retry-after"]]).toEqual([target, 503, "5"]);
      }
    expect((await ask("http://localhost/api/live?/api/ready")).status).toBe(200);
  },
);

test("a host that cannot be looked up may be an app's own domain: it gets no dashboard and no API but the probes", async () => {
  const found = () => Response.json({ status: "ok" });
  const away = () => new Response("Back in a moment", { status: 503 });
  const table = createRouteTable([
    ...["live", "ready", "health", "referrer"].map((name) => ({
      path: `/api/${name}`,
      module: { GET: found },
    })),
    { path: "/openapi.json", module: { GET: found } },
    { path: "/r/[slug]", module: { GET: away } },
  ]);
  const pages: Site["pages"] = async (_incoming, outgoing) => void outgoing.end("page");
  const appOfHost = () => Promise.reject(new Error("the database is away"));
  const port = await listen({ table, pages, appOfHost, hops: 0, draining: () => false });
  const ask = (path: string) => exchange(port, `GET ${path} HTTP/1.1\r\nHost: invite.example\r\n\r\n`);
  for (const path of ["/api/referrer", "/api/referrer?x=1", "/api/nothing", "/api/auth/session"]) {
    const { status, headers, body } = await ask(path);
    expect([path, status, headers["retry-after"]]).toEqual([path, 503, "5"]);
    expect([headers["x-ratelimit-limit"], JSON.parse(body).error.code]).toEqual([
      expect.stringMatching(/^\d+$/),
      "SERVICE_UNAVAILABLE",
    ]);
  }
  for (const path of ["/", "/dashboard", "/openapi.json", "/.well-known/other", "/_next/data"]) {
    const { status, headers, body } = await ask(path);
    expect([path, status, headers["retry-after"], body]).toEqual([path, 503, "5", "Service Unavailable\n"]);
  }
  for (const path of ["/api/live", "/api/ready/", "/api/health?x=1"])
    expect((await ask(path)).status).toBe(200);
  // The routes of domains look the host up themselves, and answer better than a plain line.
  expect((await ask("/r/k7m2p9xd")).body).toBe("Back in a moment");
});
