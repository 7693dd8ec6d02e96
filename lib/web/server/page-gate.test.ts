import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { addressToken, CLIENT_ADDRESS_HEADER } from "@/lib/web/http/client-address";
import { bounded, gated, PageGate } from "./page-gate";
import type { PageHandler } from "./pages";

/** Visits to a gate: `running` has the functions that end them, and `enter` returns the refusals. */
function visitsOf(gate: PageGate) {
  const running: (() => void)[] = [];
  const page = () => new Promise<void>((resolve) => void running.push(resolve));
  const enter = async (address: string, times: number) => {
    const refusals: unknown[] = [];
    for (let count = 0; count < times; count++) {
      void gate.visit(address, page).then((status) => status && refusals.push(status));
      await setImmediate();
    }
    return refusals;
  };
  return { running, enter };
}

/** Starts a server with the pages; returns a function that requests one. */
async function listening(pages: PageHandler) {
  const server = createServer((incoming, outgoing) => void pages(incoming, outgoing)).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const ask = (path = "", signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${port}/${path}`, signal && { signal });
  return Object.assign(ask, { port });
}

/** Sends the first byte of a body of ten; returns the socket and the first line of the response once there is one. */
function sendSlowly(port: number, path = "sign-in", address = "192.0.2.7") {
  const socket = connect(port, "127.0.0.1");
  const from = `${CLIENT_ADDRESS_HEADER}: ${addressToken()}${address}`;
  socket.write(`POST /${path} HTTP/1.1\r\nHost: localhost\r\n${from}\r\nContent-Length: 10\r\n\r\na`);
  const line = once(socket, "data").then(([data]) => String(data).split("\r\n", 1)[0]);
  onTestFinished(() => void socket.destroy());
  return { socket, line };
}

/** Answers with the body; `seen` are the paths of the requests that have reached the gate. */
function echo(...gates: PageGate[]) {
  const seen: string[] = [];
  const pages = gated(
    async (incoming, outgoing, body) => {
      if (body) outgoing.end(body);
      else incoming.pipe(outgoing);
    },
    ...gates,
  );
  const counted: PageHandler = (incoming, outgoing) => {
    seen.push(incoming.url ?? "");
    return pages(incoming, outgoing);
  };
  return { seen, counted };
}

test("one address has at most 12 pages under way and 36 that wait, all together at most 32 under way", async () => {
  const { running, enter } = visitsOf(new PageGate(1_000));
  expect(await enter("a", 48)).toEqual([]);
  expect(running).toHaveLength(12);
  expect(await enter("a", 1)).toEqual([503]);
  expect(await enter("b", 12)).toEqual([]);
  expect(await enter("c", 9)).toEqual([503]);
  expect(running).toHaveLength(32);
  // A waiting page of the address takes the place of a finished one.
  running[0]?.();
  await vi.waitFor(() => expect(running).toHaveLength(33), { timeout: 60_000 });
  expect(await enter("d", 1)).toEqual([503]);
  // A page of the last address, which has none waiting.
  running[31]?.();
  await setImmediate();
  expect(await enter("d", 1)).toEqual([]);
});

test("one address cannot take every place of a smaller gate", async () => {
  const { running, enter } = visitsOf(new PageGate(1_000, Date.now, 8, 2));
  expect(await enter("198.51.100.1", 8)).toEqual([]);
  expect(running).toHaveLength(2);
  expect(await enter("198.51.100.2", 1)).toEqual([]);
  expect(running).toHaveLength(3);
});

test("an address may ask for so many pages a minute, and again as time passes", async () => {
  let now = 1_000_000;
  const gate = new PageGate(60, () => now);
  const visit = (address: string) => gate.visit(address, async () => {});
  for (let count = 0; count < 60; count++) expect(await visit("a")).toBeUndefined();
  expect([await visit("a"), await visit("b")]).toEqual([429, undefined]);
  now += 1_000;
  expect([await visit("a"), await visit("a")]).toEqual([undefined, 429]);
});

test("a visitor who leaves while waiting costs no page", async () => {
  const held: ServerResponse[] = [];
  const pages = gated(async (_incoming, outgoing) => void held.push(outgoing), new PageGate(1_000));
  const left: ServerResponse[] = [];
  const ask = await listening((incoming, outgoing) => {
    if (incoming.url === "/left") left.push(outgoing);
    return pages(incoming, outgoing);
  });
  const first = Array.from({ length: 12 }, () => ask());
  await vi.waitFor(() => expect(held).toHaveLength(12), { timeout: 60_000 });
  const leaving = new AbortController();
  const waiting = ask("left", leaving.signal);
  await vi.waitFor(() => expect(left).toHaveLength(1), { timeout: 60_000 });
  leaving.abort();
  await expect(waiting).rejects.toThrow();
  await vi.waitFor(() => expect(left[0]?.destroyed).toBe(true), { timeout: 60_000 });
  const last = ask();
  held[0]?.end("page");
  await vi.waitFor(() => expect(held).toHaveLength(13), { timeout: 60_000 });
  for (const outgoing of held) outgoing.end("page");
  expect((await Promise.all([...first, last])).map(({ status }) => status)).toEqual(Array(13).fill(200));
});

test("a body takes no place before it has arrived, 12 of an address at a time, and is a 408 after 15 s", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { seen, counted } = echo(new PageGate(1_000));
  const ask = await listening(counted);
  const slow = Array.from({ length: 60 }, (_, n) => sendSlowly(ask.port, "sign-in", `192.0.2.${n % 5}`));
  while (seen.length < 60) await setImmediate();
  expect((await ask()).status).toBe(200);
  expect(await sendSlowly(ask.port, "sign-in", "192.0.2.0").line).toBe("HTTP/1.1 503 Service Unavailable");
  // Pages without a body are still answered to that address.
  const headers = { [CLIENT_ADDRESS_HEADER]: `${addressToken()}192.0.2.0` };
  expect((await fetch(`http://127.0.0.1:${ask.port}/`, { headers })).status).toBe(200);
  slow[0]?.socket.write("bcdefghij");
  expect(await slow[0]?.line).toBe("HTTP/1.1 200 OK");
  vi.advanceTimersByTime(15_000);
  expect(await slow[1]?.line).toBe("HTTP/1.1 408 Request Timeout");
});

test("eight files on their way keep other files out, but no pages", async () => {
  const file = `dashboard/apps/${randomUUID()}/codes/import/store`;
  const { seen, counted } = echo(new PageGate(1_000));
  const ask = await listening(bounded(counted, 1));
  const slow = Array.from({ length: 8 }, (_, n) => sendSlowly(ask.port, file, `192.0.2.${n % 4}`));
  while (seen.length < 8) await setImmediate();
  expect(await sendSlowly(ask.port, file, "192.0.2.9").line).toBe("HTTP/1.1 503 Service Unavailable");
  expect((await ask()).status).toBe(200);
  for (const { socket } of slow) socket.write("bcdefghij");
  expect(await Promise.all(slow.map(({ line }) => line))).toEqual(Array(8).fill("HTTP/1.1 200 OK"));
});

/** Requests a page and never reads the response. */
async function neverRead(port: number, address: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").pause();
  onTestFinished(() => void socket.destroy());
  const from = `${CLIENT_ADDRESS_HEADER}: ${addressToken()}${address}`;
  socket.write(`GET /large HTTP/1.1\r\nHost: localhost\r\n${from}\r\n\r\n`);
  return socket;
}

const LARGE = Buffer.alloc(32 * 1_048_576);

test("a page whose reader is slow gives up its place, still counts for its address, and is cut when too many are", async () => {
  const large: ServerResponse[] = [];
  const page: PageHandler = async (incoming, outgoing) => {
    if (incoming.url === "/large") large.push(outgoing);
    outgoing.end(incoming.url === "/large" ? LARGE : "page");
  };
  const gate = new PageGate(1_000, Date.now, 2, 1);
  const ask = await listening(bounded(gated(page, gate, undefined, 2), 2));
  for (const [index, address] of ["192.0.2.1", "192.0.2.2", "192.0.2.3"].entries()) {
    await neverRead(ask.port, address);
    await vi.waitFor(() => expect(large).toHaveLength(index + 1), { timeout: 60_000 });
    await vi.waitFor(async () => expect((await ask()).status).toBe(200), { timeout: 60_000 });
  }
  await vi.waitFor(() => expect(large.map(({ destroyed }) => destroyed)).toEqual([true, false, false]), {
    timeout: 60_000,
  });
  // An address with a page under way gets no second page until the first one ends.
  const socket = await neverRead(ask.port, "192.0.2.3");
  expect((await ask()).status).toBe(200);
  expect(large).toHaveLength(3);
  large[2]?.destroy();
  await vi.waitFor(() => expect(large).toHaveLength(4), { timeout: 60_000 });
  socket.destroy();
});

test("a refusal below /api is the API's envelope, with the time of the next try", async () => {
  const none: PageHandler = async () => undefined;
  const full = new PageGate(1_000, Date.now, 0);
  for (const pages of [bounded(none, 0), gated(none, full), gated(none, new PageGate(0))]) {
    const ask = await listening(pages);
    const refused = await ask("api/auth/session");
    const { error } = await refused.json();
    expect([503, 429]).toContain(refused.status);
    expect(error.code).toBe(refused.status === 503 ? "SERVICE_UNAVAILABLE" : "RATE_LIMITED");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  }
});

test("a caller over its limit waits for the refusal, so that a flood of repeated requests costs little", async () => {
  const gate = new PageGate(0);
  const visit = vi.spyOn(gate, "visit");
  const { port } = await listening(gated(async () => undefined, gate));
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let answer = "";
  socket.on("data", (data) => {
    answer += data;
  });
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  while (visit.mock.results.length === 0) await setImmediate();
  expect(await visit.mock.results[0]?.value).toBe(429);
  for (let turn = 0; turn < 100; turn++) await setImmediate();
  expect(answer).toBe("");
  vi.advanceTimersByTime(1_000);
  while (answer === "") await setImmediate();
  expect(answer).toMatch(/^HTTP\/1.1 429 /);
});

test("more pages than are rendered at once are 503 with Retry-After, until one is finished", async () => {
  const held: ServerResponse[] = [];
  const pages = bounded(async (_incoming, outgoing) => void held.push(outgoing), 2);
  const ask = await listening(pages);
  const first = [ask(), ask()];
  await vi.waitFor(() => expect(held).toHaveLength(2), { timeout: 60_000 });
  const refused = await ask();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  held.pop()?.end("page");
  await Promise.any(first);
  const third = ask();
  await vi.waitFor(() => expect(held).toHaveLength(2), { timeout: 60_000 });
  for (const outgoing of held) outgoing.end("page");
  expect((await third).status).toBe(200);
});

test("a visitor who leaves before the page is asked for takes no place", async () => {
  const pages = bounded(async (_incoming, outgoing) => void outgoing.end("page"), 1);
  const ask = await listening(async (incoming, outgoing) => {
    if (incoming.url === "/left") await once(outgoing.destroy(), "close");
    return pages(incoming, outgoing);
  });
  await expect(ask("left")).rejects.toThrow();
  expect((await ask()).status).toBe(200);
});
