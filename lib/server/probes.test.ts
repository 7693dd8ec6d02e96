import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MAX_JSON_BYTES } from "@/lib/http/body";
import { CLIENT_ADDRESS_HEADER, clientAddress } from "@/lib/http/client-address";
import { createHttpServer } from "@/lib/server/http";
import { apiRefusal } from "@/lib/server/refusal";
import { type Handler, routeTable } from "@/lib/server/table";
import { exchange, type RawAnswer } from "@/lib/testing/raw-http";

const HEADERS = {
  "Content-Type": "application/json",
  "X-RateLimit-Limit": "1",
  "X-RateLimit-Remaining": "1",
};
const rate = { ...HEADERS, "X-RateLimit-Reset": "1" };

/** Says what reached the handler. */
const echo: Handler = async (request, { params }) => {
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

const options: Handler = () =>
  new Response(null, { status: 204, headers: { ...rate, Allow: "POST, OPTIONS" } });
const broken: Handler = () => {
  throw new Error("broken on purpose");
};

// One probe makes a handler throw; its log line is not what is looked at here.
process.env.LOG_LEVEL = "silent";

let server: Server;
let port: number;

beforeAll(async () => {
  const module = { GET: echo, POST: echo, OPTIONS: options };
  const routes = [
    { path: "/api/x", module },
    { path: "/api/hooks/[id]/deliveries", module },
    { path: "/api/broken", module: { GET: broken } },
  ];
  server = createHttpServer({
    table: routeTable(routes),
    pages: async (_incoming, outgoing) => void outgoing.end("page"),
    hops: 0,
    draining: () => false,
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});

afterAll(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));

const HOST = "Host: example.test\r\n";
const get = (target: string, more = "") => `GET ${target} HTTP/1.1\r\n${HOST}${more}\r\n`;
const post = (body: string, more = "", target = "/api/x") =>
  `POST ${target} HTTP/1.1\r\n${HOST}${more}Content-Length: ${body.length}\r\n\r\n${body}`;

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

const LONG = "a".repeat(5_000);
const refused: [name: string, status: number, bytes: string][] = [
  ["a malformed percent sign", 400, get("/api/%E0%A4%A")],
  ["a percent sign at the end", 400, get("/api/x%")],
  ["percent and no hex", 400, get("/api/%zz")],
  ["an encoded NUL", 400, get("/api/x%00")],
  ["an encoded line break", 400, get("/api/x%0d%0aSet-Cookie:a=b")],
  ["an encoded lone surrogate", 400, get("/api/%ED%A0%80")],
  ["an over-long encoding", 400, get("/api/%C0%AF")],
  ["a raw NUL", 400, get("/api/x\0")],
  ["a raw control character", 400, get("/api/x\x01")],
  ["a raw byte above ASCII", 400, get("/api/\xff")],
  ["a double slash in front", 400, get("//api/x")],
  ["a double slash inside", 400, get("/api//x")],
  ["an encoded double slash", 400, get("/api/%2F%2Fx")],
  ["a backslash", 400, get("/api\\x", "")],
  ["an encoded backslash", 400, get("/api/%5cx")],
  ["dot segments", 400, get("/api/../api/x")],
  ["encoded dot segments", 400, get("/api/%2e%2e/x")],
  ["a fragment", 400, get("/api/x#y")],
  ["an over-long target", 400, get(`/api/${LONG}`)],
  ["an over-long query", 400, get(`/api/x?${LONG}`)],
  ["a target of more than all headers", 431, get(`/api/${LONG}${LONG}${LONG}${LONG}`)],
  ["OPTIONS *", 400, `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`],
  ["GET *", 400, get("*")],
  ["a target without a slash", 400, get("api/x")],
  ["an empty target", 400, get("")],
  ["TRACE", 405, `TRACE /api/x HTTP/1.1\r\n${HOST}\r\n`],
  ["PROPFIND", 405, `PROPFIND /api/x HTTP/1.1\r\n${HOST}\r\n`],
  ["CONNECT", 405, `CONNECT example.test:443 HTTP/1.1\r\n${HOST}\r\n`],
  ["a method that the module lacks", 405, `DELETE /api/x HTTP/1.1\r\n${HOST}\r\n`],
  ["a method that is none", 400, `GRAB /api/x HTTP/1.1\r\n${HOST}\r\n`],
  ["a lower-case method", 400, `get /api/x HTTP/1.1\r\n${HOST}\r\n`],
  ["no Host", 400, "GET /api/x HTTP/1.1\r\n\r\n"],
  ["two Hosts", 400, get("/api/x", HOST)],
  ["a Host that is none", 400, "GET /api/x HTTP/1.1\r\nHost: a/b?c\r\n\r\n"],
  ["a Host with a user", 400, "GET /api/x HTTP/1.1\r\nHost: a@b\r\n\r\n"],
  ["a websocket", 400, get("/api/x", "Connection: Upgrade\r\nUpgrade: websocket\r\n")],
  ["an unknown expectation", 417, get("/api/x", "Expect: a-miracle\r\n")],
  ["headers of more than 16 KiB", 431, get("/api/x", `X-Long: ${"b".repeat(17_000)}\r\n`)],
  ["a header without a name", 400, get("/api/x", ": b\r\n")],
  ["a header with a blank in its name", 400, get("/api/x", "X y: b\r\n")],
  ["a NUL in a header", 400, get("/api/x", "X-A: b\0c\r\n")],
  ["both lengths", 400, post("ab", "Transfer-Encoding: chunked\r\n")],
  ["two lengths", 400, post("ab", "Content-Length: 3\r\n")],
  ["a length that is none", 400, `POST /api/x HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n`],
  [
    "a chunk size that is none",
    400,
    `POST /api/x HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
  ],
  ["an unknown version", 400, `GET /api/x HTTP/9.9\r\n${HOST}\r\n`],
  ["no HTTP at all", 400, "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03"],
  ["an unknown path", 404, get("/api/nothing")],
  ["the bare /api", 404, get("/api")],
  ["an encoded /api", 404, get("/%61pi/x")],
  ["a bare parameter", 404, get("/api/hooks//deliveries".replace("//", "/"))],
  ["a body of 17 KB", 413, post("a".repeat(17_000))],
  ["a body of 2 MB", 413, post("a".repeat(2_000_000))],
];

describe("a raw request that is refused", () => {
  it.each(refused)("%s gets the envelope and %i", async (_name, status, bytes) => {
    expectEnvelope(await exchange(port, bytes), status);
  });

  it("a handler that throws is a 500 without its words", async () => {
    const answer = await exchange(port, get("/api/broken"));
    expectEnvelope(answer, 500);
    expect(answer.body).not.toContain("on purpose");
  });

  it("405 names what the route allows", async () => {
    const answer = await exchange(port, `TRACE /api/x HTTP/1.1\r\n${HOST}\r\n`);
    expect(answer.headers.allow).toBe("POST, OPTIONS");
  });

  it.each([
    ["a malformed percent sign", 400, get("/r/%E0%A4%A")],
    ["a double slash", 400, get("//evil.test/")],
    ["TRACE", 405, `TRACE /r/x HTTP/1.1\r\n${HOST}\r\n`],
    ["a websocket", 400, get("/", "Connection: Upgrade\r\nUpgrade: websocket\r\n")],
  ])("%s on a page is a plain %i", async (_name, status, bytes) => {
    const answer = await exchange(port, bytes);
    expect(answer.status).toBe(status);
    expect(answer.headers["content-type"]).toMatch(/^text\/plain/);
  });
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

  it("loses the framework's inner headers", async () => {
    const names = ["RSC", "Next-Action", "X-Middleware-Subrequest", "x-nextjs-data", "X-Invoke-Path"];
    const answer = await exchange(port, get("/api/x", names.map((name) => `${name}: 1\r\n`).join("")));
    expect(JSON.parse(answer.body).names).toEqual(["host", CLIENT_ADDRESS_HEADER]);
  });

  it("comes from its connection, whatever it claims", async () => {
    const forged = `${CLIENT_ADDRESS_HEADER}: 203.0.113.7\r\nX-Forwarded-For: 203.0.113.8\r\n`;
    const answer = await exchange(port, get("/api/x", forged));
    expect(JSON.parse(answer.body).address).toBe("127.0.0.1");
  });
});
