import { once } from "node:events";
import { existsSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { dirname } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { exchange } from "@/lib/testing/http/raw-http";
import { call, gone, useSupervisor } from "@/lib/testing/processes/supervised";
import { CLIENT_ADDRESS_HEADER } from "@/lib/web/http/client-address";

const launch = useSupervisor();

/** The response of the test's pages process to a page. */
interface Seen {
  pid: number;
  address: string;
  /** Bytes of `/endless` so far, and its readers. */
  written: number;
  streams: number;
  url: string;
  headers: Record<string, string>;
  /** `DATABASE_WAIT_MS` of the process. */
  patience: string;
}

const PATIENCE = { timeout: 150_000, interval: 20 };
const page = (port: number) => call<Seen>(port, "GET /page");
const web = (port: number) => call<{ pid: number; memory: number }>(port, "GET /api/state");
const get = (port: number, path: string, headers = "") =>
  exchange(port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);

/** A service whose pages process answers. */
async function start(processes = 1, drainDelay = 0, lasting = false) {
  const { child, port, said } = await launch({ processes, drainDelay, pages: true, lasting });
  await said("ready");
  const seen = await vi.waitFor(() => page(port), PATIENCE);
  await vi.waitFor(async () => expect((await get(port, "/api/ready")).status).toBe(200), PATIENCE);
  return { child, port, said, ...seen };
}

test("pages are rendered by one process behind all web processes", async () => {
  const { port, pid } = await start(2);
  const pids = new Set<number>();
  for (let count = 0; count < 6; count++) pids.add((await page(port)).pid);
  expect([...pids]).toEqual([pid]);
  expect((await web(port)).pid).not.toBe(pid);
});

test("a header of the framework's router that it could not read is a 400", async () => {
  const { port } = await start();
  const ask = async (state: string) =>
    (await get(port, "/page", `RSC: 1\r\nNext-Router-State-Tree: ${state}\r\n`)).status;
  for (const state of ["x", "%", "%ff", "[]", "null", '[""]', '["",{},null,"x"]', "[".repeat(2_000)])
    expect([state, await ask(state)]).toEqual([state, 400]);
  // Valid, but deeper than any page: the framework would read a thousand levels for a tenth of a second.
  const deep = `${'["",{"a":'.repeat(300)}["",{}]${"}]".repeat(300)}`;
  for (const state of [deep, encodeURIComponent(deep)]) expect(await ask(state)).toBe(400);
  expect(await ask(encodeURIComponent('["",{"children":["docs",{},null,null,0]},null,"refetch"]'))).toBe(200);
});

test("the API goes on while the pages process hangs or is away, and pages return with the next one", async () => {
  const { port, said, pid } = await start();
  process.kill(pid, "SIGSTOP");
  const hanging = get(port, "/page");
  expect((await web(port)).pid).toBeGreaterThan(0);
  process.kill(pid, "SIGKILL");
  const { status, headers } = await hanging;
  expect([status, headers["retry-after"]]).toEqual([503, "5"]);
  await said(`Pages process ${pid} ended (SIGKILL) and is being restarted`);
  expect((await vi.waitFor(() => page(port), PATIENCE)).pid).not.toBe(pid);
});

test("without a pages process, a browser gets a page and everything else the envelope", async () => {
  const { port, said } = await launch();
  await said("ready");
  const browser = await get(port, "/page", "Accept: text/html,*/*\r\n");
  expect(browser.status).toBe(503);
  expect(browser.headers).toMatchObject({ "retry-after": "5", "x-frame-options": "DENY" });
  expect(browser.body).toContain("<title>Back in a moment</title>");
  const client = await get(port, "/page", "Accept: */*\r\n");
  expect(client.status).toBe(503);
  expect(client.headers["retry-after"]).toBe("5");
  expect(JSON.parse(client.body).error.code).toBe("SERVICE_UNAVAILABLE");
});

test("kill -9 of the supervisor leaves no pages process behind, and no socket", async () => {
  const { child, port, pid, address } = await start();
  const { pid: webPid } = await web(port);
  expect(existsSync(address)).toBe(true);
  child.kill("SIGKILL");
  await gone([pid, webPid]);
  expect(existsSync(dirname(address))).toBe(false);
});

test("a stopped service finishes the pages under way", async () => {
  // While the port is open, a call sees that the service drains.
  const { child, port } = await start(1, 120_000);
  const slow = request({ port, path: UPLOAD, method: "POST", headers: { "content-length": 10 } });
  const answered = once(slow, "response");
  slow.write("first");
  const [response] = (await answered) as [IncomingMessage];
  child.kill("SIGTERM");
  await vi.waitFor(async () => expect((await get(port, "/api/ready")).status).toBe(503), PATIENCE);
  slow.end("later");
  let text = "";
  for await (const part of response) text += part;
  expect(text).toBe("firstlater");
});

const UPLOAD = "/dashboard/apps/018f0000-0000-7000-8000-000000000000/codes/import/check";
const MEGABYTE = Buffer.alloc(1024 * 1024, 98);

/** Sends `megabytes` megabytes and counts those that the connection has accepted. */
function upload(port: number, megabytes: number, path = UPLOAD) {
  const headers = { "content-length": MEGABYTE.length * megabytes };
  const outgoing = request({ port, path, method: "POST", headers }).on("error", () => undefined);
  const state = { outgoing, taken: 0, answered: once(outgoing, "response") as Promise<[IncomingMessage]> };
  const send = async () => {
    for (; state.taken < megabytes; state.taken++)
      if (!outgoing.write(MEGABYTE)) await once(outgoing, "drain");
    outgoing.end();
  };
  send().catch(() => undefined);
  return state;
}

describe("a service that all tests use", () => {
  let service: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    service = await start(1, 0, true);
  });

  test("the environment of the pages process differs where the supervisor says so", async () => {
    expect(service.patience).toBe("9000");
  });

  test("every cookie of a page reaches the browser", async () => {
    const { port } = service;
    const [response] = (await once(request({ port, path: "/cookies" }).end(), "response")) as [
      IncomingMessage,
    ];
    response.resume();
    expect(response.headers["set-cookie"]).toEqual(["session=1", "device=2"]);
    expect(response.headers["x-frame-options"]).toBe("DENY");
  });

  test("a page is written no faster than it is read, and ends with its reader", async () => {
    const { port } = service;
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write("GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await once(socket, "readable");
    for (let last = -1, now = 0; now !== last; ) {
      last = now;
      await web(port);
      now = (await page(port)).written;
      expect(now).toBeLessThan(32 * 1024 * 1024);
    }
    expect((await page(port)).streams).toBe(1);
    socket.destroy();
    await vi.waitFor(async () => expect((await page(port)).streams).toBe(0), PATIENCE);
  });

  test("an upload passes through a web process whole", async () => {
    const { port } = service;
    const [response] = await upload(port, 8).answered;
    let length = 0;
    for await (const part of response) length += part.length;
    expect(length).toBe(8 * MEGABYTE.length);
  });

  test("an upload is taken no faster than it is read", async () => {
    const { port } = service;
    const unread = upload(port, 100, `${UPLOAD}?unread`);
    unread.answered.catch(() => undefined);
    for (let last = -1; last !== unread.taken; ) {
      last = unread.taken;
      await web(port);
      await page(port);
    }
    expect(unread.taken).toBeLessThan(50);
    unread.outgoing.destroy();
  });

  test("an action wakes the queues of the web processes, because the pages process runs none", async () => {
    const { port } = service;
    const looks = async () => (await call<{ looks: number }>(port, "GET /api/state")).looks;
    const before = await vi.waitFor(async () => {
      expect(await looks()).toBeGreaterThan(0);
      return looks();
    }, PATIENCE);
    await call(port, "GET /wake");
    await vi.waitFor(async () => expect(await looks()).toBeGreaterThan(before), PATIENCE);
  });

  test("only a web process says which address a visitor has", async () => {
    const { port } = service;
    const forged = [
      `${CLIENT_ADDRESS_HEADER}: x 203.0.113.7`,
      "X-Metacode-Render: 1",
      "Connection: x-secret, close",
    ];
    const { body } = await get(port, "/page", `${forged.join("\r\n")}\r\nX-Secret: 1\r\nX-Kept: 1\r\n`);
    const { headers } = JSON.parse(body) as Seen;
    expect(headers[CLIENT_ADDRESS_HEADER]).toMatch(/^\S+ 127\.0\.0\.1$/);
    expect(headers).toMatchObject({ host: "localhost", "x-kept": "1" });
    for (const name of ["x-metacode-render", "x-secret"]) expect(headers).not.toHaveProperty(name);
  });

  test("a body whose Content-Length is named by Connection never becomes part of the next visitor's request", async () => {
    const { port } = service;
    const hidden = "GET /stolen HTTP/1.1\r\nOrigin: http://localhost\r\nX: ";
    const framing = `Connection: content-length, close\r\nContent-Length: ${hidden.length}\r\n`;
    const refusals = { GET: 400, HEAD: 400, OPTIONS: 204, DELETE: 405 };
    for (const [method, refusal] of Object.entries(refusals)) {
      const attack = `${method} /page HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n${hidden}`;
      const { status } = await exchange(port, attack);
      const { url, headers } = await page(port);
      expect([status, url, headers.origin], method).toEqual([refusal, "/page", undefined]);
    }
    const signIn = await exchange(
      port,
      `GET /api/auth/x HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n${hidden}`,
    );
    expect([signIn.status, (await page(port)).url]).toEqual([400, "/page"]);
  });

  test("a client takes neither length nor host nor address from a request", async () => {
    const connection = `Connection: content-length, host, ${CLIENT_ADDRESS_HEADER}\r\nContent-Length: 4\r\n`;
    const { body } = await exchange(
      service.port,
      `POST /page HTTP/1.1\r\nHost: localhost\r\n${connection}\r\nbody`,
    );
    const { headers } = JSON.parse(body) as Seen;
    expect(headers).toMatchObject({ host: "localhost", "content-length": "4" });
    expect(headers[CLIENT_ADDRESS_HEADER]).toMatch(/ 127\.0\.0\.1$/);
  });

  test("the pages process refuses everyone without the token of the web processes", async () => {
    const { address } = service;
    for (const token of ["", "undefined", "x 127.0.0.1"]) {
      const headers = token ? { [CLIENT_ADDRESS_HEADER]: token } : {};
      const [response] = await once(
        request({ socketPath: address, path: "/page", headers }).end(),
        "response",
      );
      expect(response.statusCode).toBe(403);
    }
  });
});
