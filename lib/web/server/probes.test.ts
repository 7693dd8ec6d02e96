import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusedProbes } from "@/lib/testing/http/probes";
import { exchange, type RawAnswer } from "@/lib/testing/http/raw-http";
import { MAX_JSON_BYTES } from "@/lib/web/http/body";
import { CLIENT_ADDRESS_HEADER, clientAddress } from "@/lib/web/http/client-address";
import { createHttpServer } from "@/lib/web/server/http-server";
import type { Site } from "@/lib/web/server/listener";
import { apiRefusal } from "@/lib/web/server/refusal";
import { createRouteTable, type ModuleHandler } from "@/lib/web/server/table";

const HEADERS = {
  "Content-Type": "application/json",
  "X-RateLimit-Limit": "1",
  "X-RateLimit-Remaining": "1",
};
const rate = { ...HEADERS, "X-RateLimit-Reset": "1" };

/** Answers with the request as the handler sees it. */
const echo: ModuleHandler = async (request, { params }) => {
  const bytes = await request.arrayBuffer();
  const names = [...request.headers.keys()];
  if (bytes.byteLength > MAX_JSON_BYTES) return refusal("PAYLOAD_TOO_LARGE");
  const body = { params: await params, names, size: bytes.byteLength, address: clientAddress(request) };
  return new Response(JSON.stringify(body), { headers: rate });
};

function refusal(code: "PAYLOAD_TOO_LARGE" | "NOT_FOUND"): Response {
  const { status, headers, body } = apiRefusal(code);
  return new Response(body, { status, headers });
}

const options: ModuleHandler = () =>
  new Response(null, { status: 204, headers: { ...rate, Allow: "POST, OPTIONS" } });
const missing: ModuleHandler = () => new Response("none", { status: 404 });
const unknown: ModuleHandler = () => refusal("NOT_FOUND");
const broken: ModuleHandler = () => {
  throw new Error("broken on purpose");
};

// A probe makes a handler throw; its log line is not tested here.
process.env.LOG_LEVEL = "silent";

let servers: Server[];
let port: number;
/** The port of a server behind one proxy. */
let proxiedPort: number;

beforeAll(async () => {
  const module = { GET: echo, POST: echo, OPTIONS: options };
  const routes = [
    { path: "/api/x", module },
    { path: "/api/hooks/[id]/deliveries", module },
    { path: "/api/broken", module: { GET: broken } },
    { path: "/file.json", module: { GET: missing, OPTIONS: options } },
  ];
  const site: Site = {
    table: createRouteTable(routes),
    unknown: { module: { GET: unknown }, params: Promise.resolve({}) },
    pages: async (_incoming, outgoing) => void outgoing.end("page"),
    hops: 0,
    draining: () => false,
  };
  servers = [createHttpServer(site), createHttpServer({ ...site, hops: 1 })];
  [port = 0, proxiedPort = 0] = await Promise.all(servers.map(listen));
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

afterAll(() =>
  Promise.all(servers.map((server) => new Promise((end) => server.close(end).closeAllConnections()))),
);

const HOST = "Host: example.test\r\n";
const get = (target: string, more = "") => `GET ${target} HTTP/1.1\r\n${HOST}${more}\r\n`;

function expectEnvelope(answer: RawAnswer, status: number): void {
  expect(answer.status).toBe(status);
  for (const name of ["limit", "remaining", "reset"]) {
    expect(answer.headers[`x-ratelimit-${name}`]).toMatch(/^\d+$/);
  }
  expect(answer.headers["content-type"]).toMatch(/^application\/json/);
  expect(answer.headers["cache-control"]).toBe("no-store");
  expect(answer.headers["access-control-expose-headers"]).toContain("X-RateLimit-Reset");
  const { error } = JSON.parse(answer.body);
  expect(error).toMatchObject({ code: expect.any(String), message: expect.any(String) });
  expect(error.request_id).toBe(answer.headers["x-request-id"]);
}

describe("a raw request that is refused", () => {
  it.each(refusedProbes("/api/x"))("%s gets the envelope and %i", async (_name, status, bytes) => {
    expectEnvelope(await exchange(port, bytes), status);
  });

  it("a handler that throws is a 500 without its message", async () => {
    const answer = await exchange(port, get("/api/broken"));
    expectEnvelope(answer, 500);
    expect(answer.body).not.toContain("on purpose");
  });

  it("a path that only the framework knows never reaches the API", async () => {
    for (const path of ["/_next/data/build/api/x.json", "/%5Fnext/data/build/api/x.json", "/_next/data"]) {
      const answer = await exchange(port, get(path));
      expect([path, answer.status, answer.body]).toEqual([path, 404, "Not Found\n"]);
    }
  });

  it.each([
    [404, get("/_next/data")],
    [404, get("/file.json")],
    [405, `TRACE /file.json HTTP/1.1\r\n${HOST}\r\n`],
  ])("a page or file that is refused with %i has the security headers", async (status, bytes) => {
    const { headers, ...answer } = await exchange(port, bytes);
    expect(answer.status).toBe(status);
    expect(headers).toMatchObject({ "x-frame-options": "DENY", "x-content-type-options": "nosniff" });
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
  });

  it("405 names the methods of the route", async () => {
    const answer = await exchange(port, `TRACE /api/x HTTP/1.1\r\n${HOST}\r\n`);
    expect(answer.headers.allow).toBe("POST, OPTIONS");
  });

  it("an unknown path below /api is a 404, whatever the method", async () => {
    for (const method of ["GET", "TRACE", "PROPFIND"])
      expect((await exchange(port, `${method} /api/nothing HTTP/1.1\r\n${HOST}\r\n`)).status, method).toBe(
        404,
      );
  });

  it.each([
    ["a malformed percent sign", 400, get("/r/%E0%A4%A")],
    ["a double slash", 400, get("//evil.test/")],
    ["a NUL in the query", 400, get("/dashboard?q=a%00b")],
    ["a packed body", 400, `POST /x HTTP/1.1\r\n${HOST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ["TRACE", 405, `TRACE /r/x HTTP/1.1\r\n${HOST}\r\n`],
    ["a websocket", 400, get("/", "Connection: Upgrade\r\nUpgrade: websocket\r\n")],
  ])("%s on a page is a plain %i", async (_name, status, bytes) => {
    const answer = await exchange(port, bytes);
    expect(answer.status).toBe(status);
    expect(answer.headers["content-type"]).toMatch(/^text\/plain/);
  });
});

describe("a method that pages do not have", () => {
  const ALLOW = "GET, HEAD, POST, OPTIONS";

  it.each(["PUT", "PATCH", "DELETE", "TRACE"])("%s is a 405 with those that they have", async (method) => {
    const answer = await exchange(port, `${method} /x HTTP/1.1\r\n${HOST}\r\n`);
    expect([answer.status, answer.headers.allow, answer.body]).toEqual([405, ALLOW, "Method Not Allowed\n"]);
  });

  it("OPTIONS names them, without a body", async () => {
    const answer = await exchange(port, `OPTIONS /x HTTP/1.1\r\n${HOST}\r\n`);
    expect([answer.status, answer.headers.allow, answer.body]).toEqual([204, ALLOW, ""]);
    expect([answer.headers["content-length"], answer.headers["content-type"]]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it.each(["GET", "POST"])("%s reaches the page", async (method) => {
    expect((await exchange(port, `${method} /x HTTP/1.1\r\n${HOST}\r\n`)).body).toBe("page");
  });
});

describe("a host of the right characters", () => {
  it.each(["a:99999", "999.999.999.999", "1.2.3.4.5", "xn--", "0X7F.1", "[0:0:0:0:0:0:0:1]"])(
    "%s that a URL cannot have, or writes in another way, is a 400",
    async (host) => {
      const answer = await exchange(port, `GET /api/x HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.body).error.message).toBe("Send exactly one valid Host header");
    },
  );

  it.each(["EXAMPLE.test:8080", "[::1]:3000", "a..b", "127.0.0.1", "example.test.:80"])(
    "%s is answered",
    async (host) => {
      const answer = await exchange(port, `GET /api/x HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      expect(answer.status).toBe(200);
    },
  );
});

describe("a raw request that is answered", () => {
  it.each([
    ["with a slash at the end", get("/api/x/")],
    ["with a query", get("/api/x?y=%zz")],
    ["in absolute form", get("http://example.test/api/x")],
    ["in version 1.0 without Host", "GET /api/x HTTP/1.0\r\n\r\n"],
    ["with a harmless upgrade", get("/api/x", "Connection: Upgrade\r\nUpgrade: h2c\r\n")],
  ])("%s", async (_name, bytes) => {
    expect((await exchange(port, bytes)).status).toBe(200);
  });

  it("gives the handler its decoded parameters", async () => {
    const answer = await exchange(port, get("/api/hooks/a%20b/deliveries/"));
    expect(JSON.parse(answer.body).params).toEqual({ id: "a b" });
  });

  it("loses Next's internal headers", async () => {
    const names = ["RSC", "Next-Action", "X-Middleware-Subrequest", "x-nextjs-data", "X-Invoke-Path"];
    const answer = await exchange(port, get("/api/x", names.map((name) => `${name}: 1\r\n`).join("")));
    expect(JSON.parse(answer.body).names).toEqual(["host", CLIENT_ADDRESS_HEADER]);
  });

  it("comes from its connection, whatever its headers claim", async () => {
    const forged = `${CLIENT_ADDRESS_HEADER}: 203.0.113.7\r\nX-Forwarded-For: 203.0.113.8\r\n`;
    const answer = await exchange(port, get("/api/x", forged));
    expect(JSON.parse(answer.body).address).toBe("127.0.0.1");
  });

  it.each([
    ["the entry that the proxy appended", "203.0.113.7, 198.51.100.1", "198.51.100.1"],
    ["the connection's without such an entry", "203.0.113.7, unknown", "127.0.0.1"],
  ])("behind one proxy comes from %s", async (_name, forwarded, address) => {
    const forged = `${CLIENT_ADDRESS_HEADER}: 203.0.113.7\r\nX-Forwarded-For: ${forwarded}\r\n`;
    const answer = await exchange(proxiedPort, get("/api/x", forged));
    expect(JSON.parse(answer.body).address).toBe(address);
  });

  it("behind one proxy comes from the last of two headers of the list", async () => {
    const twice = ["203.0.113.7", "198.51.100.1"].map((entry) => `X-Forwarded-For: ${entry}\r\n`);
    const answer = await exchange(proxiedPort, get("/api/x", twice.join("")));
    expect(JSON.parse(answer.body).address).toBe("198.51.100.1");
  });
});
