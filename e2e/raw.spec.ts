import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { expect, test } from "playwright/test";
import type { SampleWorkspace } from "@/lib/cli/sample-workspace/build";
import { refusedProbes } from "@/lib/testing/http/probes";
import { exchange, type RawAnswer } from "@/lib/testing/http/raw-http";
import { TestedService } from "./crash/service";

/** A separate service, because refused keys count against the IP address, and the tests measure its memory. */
let service: TestedService;
let sample: SampleWorkspace;

test.describe.configure({ mode: "default" });

test.beforeAll(async () => {
  service = await TestedService.make(1);
  service.launch();
  await service.ready();
  sample = await service.sample(10);
});

test.afterAll(async () => {
  await service.remove();
});

const HOST = "Host: example.test\r\n";
const PATHS = ["referrer", "referrer-claim", "referee-redeem"].map((name) => `/api/${name}`);
const key = () => `X-API-Key: ${sample.api_key}\r\n`;

function post(path: string, body: string | Buffer, more = "Content-Type: application/json\r\n"): Buffer {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const head = `POST ${path} HTTP/1.1\r\n${HOST}${key()}${more}Content-Length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), bytes]);
}

function expectRefused(answer: RawAnswer, name: string): void {
  expect.soft(answer.status, name).toBeGreaterThanOrEqual(400);
  expect.soft(answer.status, name).toBeLessThan(500);
  expectRateHeaders(answer, name);
  expect.soft(JSON.parse(answer.body).error, name).toMatchObject({ code: /^[A-Z_]+$/, message: /./ });
}

function expectRateHeaders({ headers }: RawAnswer, name: string): void {
  for (const word of ["limit", "remaining", "reset"]) {
    expect.soft(headers[`x-ratelimit-${word}`], name).toMatch(/^\d+$/);
  }
}

test("a malformed request is a 4xx in the envelope", async () => {
  const probes = PATHS.flatMap((path) => refusedProbes(path, key()).map((probe) => ({ path, probe })));
  for (const { path, probe } of probes) {
    const [name, status, bytes] = probe;
    const answer = await exchange(service.port, bytes);
    expectRefused(answer, `${name} on ${path}`);
    expect.soft(answer.status, `${name} on ${path}`).toBe(status);
  }
});

const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const text = (value: string) => JSON.stringify({ uid: value, referee_uid: value, metacode: "test123" });

const BODIES: [name: string, body: string | Buffer][] = [
  ["nothing", ""],
  ["no JSON", "{"],
  ["a list", "[]"],
  ["null", "null"],
  ["a number out of range", '{"uid": 1e999999}'],
  ["a NUL in a text", '{"uid": "a\\u0000b", "referee_uid": "a\\u0000b"}'],
  ["a bare NUL", Buffer.from('{"uid": "a\0b"}')],
  ["a lone surrogate", '{"uid": "\\ud800", "referee_uid": "\\ud800"}'],
  ["invalid UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
  ["a byte order mark before nothing", Buffer.from([0xef, 0xbb, 0xbf])],
  ["lists 7,000 deep", deep(7_000)],
  ["metadata 7,000 deep", `{"uid": 1, "metadata": ${deep(7_000)}}`],
  ["a prototype", '{"__proto__": {"uid": "a"}, "constructor": 1}'],
  ["objects for texts", '{"uid": {"a": 1}, "referee_uid": [], "metacode": {}, "platform": {}}'],
  ["a text of 16,000 characters", text("a".repeat(16_000))],
  ["a text of controls", text("\u001b[31m\r\n")],
  ["the same name twice", '{"uid": "a", "uid": 1}'],
];

const TYPES = [
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "application/json; charset=x",
];

test("an invalid body is a 4xx in the envelope", async () => {
  for (const path of PATHS) {
    for (const [name, body] of BODIES) {
      expectRefused(await exchange(service.port, post(path, body)), `${name} on ${path}`);
    }
    for (const type of [...TYPES, "application/json\r\nContent-Encoding: gzip"]) {
      const answer = await exchange(service.port, post(path, "{}", `Content-Type: ${type}\r\n`));
      expectRefused(answer, `${type} on ${path}`);
    }
  }
});

test("a provider's address refuses the same bodies", async () => {
  const { url, authorization } = sample.providers.revenuecat ?? {};
  const path = new URL(url ?? "").pathname;
  for (const more of ["", `Authorization: ${authorization}\r\n`, "Authorization: \xff\r\n"]) {
    for (const [name, body] of BODIES) {
      const answer = await exchange(service.port, post(path, body, more));
      expect.soft(answer.status, name).toBeLessThan(500);
      expectRateHeaders(answer, name);
    }
  }
});

const INNER = [
  "RSC: 1",
  "Next-Action: 00000000000000000000000000000000000000000",
  "Next-Action: x",
  "Next-Router-State-Tree: %",
  "Next-Router-Prefetch: 1",
  "Next-Url: //x",
  "X-Nextjs-Data: 1",
  "X-Middleware-Subrequest: proxy:proxy:proxy:proxy:proxy",
  "X-Invoke-Path: /dashboard",
  "X-Forwarded-Host: evil.test",
  "Expect: 100-continue",
  "Connection: Upgrade\r\nUpgrade: h2c",
  "Cookie: next-auth.session-token=x; __Secure-next-auth.session-token=%",
];

test("headers of the framework's inner routing change nothing on the API", async () => {
  // The framework's routing is active from the first page on.
  await fetch(`http://127.0.0.1:${service.port}/`);
  for (const header of INNER) {
    const answer = await exchange(
      service.port,
      post("/api/referrer", '{"uid":"a"}', `Content-Type: application/json\r\n${header}\r\n`),
    );
    const last = header.startsWith("Expect") ? [100, 200] : [200];
    expect.soft(last, header).toContain(answer.status);
  }
});

test("a request in absolute form is answered by its path", async () => {
  const absolute = post("http://example.test/api/referrer", '{"uid":"a"}');
  expect((await exchange(service.port, absolute)).status).toBe(200);
});

const PAGES = [
  "/",
  "/r/zzzzzzzz",
  "/r/%20",
  "/dashboard",
  "/sign-in",
  "/nothing",
  "/_next/image?url=%2F%2Fx&w=1&q=1",
];
const FORMS = [
  "text/plain;charset=UTF-8",
  "multipart/form-data; boundary=x",
  "application/x-www-form-urlencoded",
];

test("no header and no form makes a page fail", async () => {
  for (const path of PAGES) {
    for (const header of INNER.filter((name) => !name.startsWith("Expect"))) {
      const answer = await exchange(service.port, `GET ${path} HTTP/1.1\r\n${HOST}${header}\r\n\r\n`);
      expect.soft(answer.status, `${header} on ${path}`).toBeLessThan(500);
    }
    for (const type of FORMS) {
      const more = `Content-Type: ${type}\r\nNext-Action: ${"0".repeat(42)}\r\n`;
      const body = '--x\r\nContent-Disposition: form-data; name="$ACTION_ID_0"\r\n\r\n\r\n--x--\r\n';
      for (const lines of [more, `Content-Type: ${type}\r\n`]) {
        const answer = await exchange(service.port, post(path, body, lines));
        expect.soft(answer.status, `a form of ${type} on ${path}`).toBeLessThan(500);
      }
    }
  }
});

test("a tail after the body is never a second request in disguise", async () => {
  const hidden = `GET /api/hidden HTTP/1.1\r\n${HOST}\r\n`;
  const shapes = [
    "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
    "Transfer-Encoding: chunked, identity\r\n",
    "Transfer-Encoding: xchunked\r\n",
    "Transfer-Encoding : chunked\r\n",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n",
    "Content-Length: 4\r\nContent-Length: 5\r\n",
    "Content-Length: +4\r\n",
    "Content-Length: 0x4\r\n",
  ];
  for (const shape of shapes) {
    const bytes = `POST /api/referrer HTTP/1.1\r\n${HOST}${shape}\r\n0\r\n\r\n${hidden}`;
    const answer = await exchange(service.port, bytes);
    expectRefused(answer, shape);
    expect.soft(answer.headers.connection, shape).toBe("close");
  }
});

const CHUNK = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(1 << 20, 97), Buffer.from("\r\n")]);
/** Maximum growth in megabytes; a web process that buffered a body would need 60. */
const LIMIT_MB = 40;

/** The resident memory of the web process in megabytes. */
function memory(): number {
  const [pid = 0] = service.webPids();
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1_024;
}

/** Sends 60 MB regardless of the response; resolves to its first line and the growth of memory on the way. */
async function send60(path: string): Promise<{ answer: string; growth: number }> {
  const before = memory();
  let most = before;
  let answer = "";
  const socket = connect(service.port, "127.0.0.1").setEncoding("latin1");
  socket.on("data", (text: string) => {
    answer += text;
  });
  const gone = once(socket, "close");
  socket.write(`POST ${path} HTTP/1.1\r\n${HOST}${key()}Transfer-Encoding: chunked\r\n\r\n`);
  for (let sent = 0; sent < 60; sent++) {
    if (!socket.write(CHUNK)) await Promise.race([once(socket, "drain"), gone]);
    most = Math.max(most, memory());
  }
  socket.end("0\r\n\r\n");
  await gone;
  return { answer: answer.split("\r\n", 1)[0] ?? "", growth: Math.max(most, memory()) - before };
}

const TOO_LARGE: [path: string, status: number][] = [
  ...PATHS.map((path): [string, number] => [path, 413]),
  ["/api/nothing", 404],
  ["/api//referrer", 400],
];

test("a body of 60 MB in chunks is refused and does not stay in memory", async () => {
  test.skip(process.platform !== "linux", "memory is read from /proc");
  for (const [path, status] of TOO_LARGE) {
    const { answer, growth } = await send60(path);
    expect.soft(answer, path).toContain(`HTTP/1.1 ${status}`);
    expect.soft(growth, path).toBeLessThan(LIMIT_MB);
  }
});
