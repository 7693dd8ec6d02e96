import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { connect } from "node:net";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createHttpServer } from "./http-server";
import type { PageHandler } from "./pages";
import { createRouteTable } from "./table";

let running = 0;
let most = 0;
let begun = 0;

beforeEach(() => {
  running = 0;
  most = 0;
  begun = 0;
});

/** A server whose pages take two turns of the event loop; returns its port. */
async function start(ready?: () => boolean): Promise<number> {
  const server = createHttpServer({
    table: createRouteTable([]),
    pages: async (incoming, outgoing) => {
      begun += 1;
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      await new Promise(setImmediate);
      running -= 1;
      outgoing.end(`<${incoming.url}>`);
    },
    hops: 0,
    draining: () => false,
    ...(ready && { ready }),
  });
  onTestFinished(() => void server.close().closeAllConnections());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Sends all requests in one write and resolves with the received bytes up to `until` or the end. */
async function pipeline(port: number, count: number, until: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let text = "";
  socket.setEncoding("latin1").on("data", (part) => {
    text += part;
  });
  socket.on("error", () => undefined);
  socket.write(
    Array.from({ length: count }, (_, index) => `GET /p${index} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(
      "",
    ),
  );
  await vi.waitFor(() => expect(text.includes(until) || socket.destroyed).toBe(true), { timeout: 60_000 });
  return text;
}

test("pipelined requests of one connection run one after the other and are answered in order", async () => {
  const port = await start();
  const text = await pipeline(port, 20, "</p19>");
  expect([...text.matchAll(/<\/p(\d+)>/g)].map(([, index]) => Number(index))).toEqual([...Array(20).keys()]);
  expect(most).toBe(1);
});

test("a connection with hundreds of waiting requests is cut, and next to none of them runs", async () => {
  const port = await start();
  await pipeline(port, 300, "</p299>");
  expect(begun).toBeLessThan(50);
  expect((await fetch(`http://127.0.0.1:${port}/after`)).status).toBe(200);
});

test("an address whose connection was cut waits on its next ones, and is then answered", async () => {
  const server = createHttpServer({
    table: createRouteTable([]),
    pages: async (_incoming, outgoing) => void outgoing.end("page"),
    hops: 0,
    draining: () => false,
  });
  onTestFinished(() => void server.close().closeAllConnections());
  server.listen(0, "0.0.0.0");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  // Node reads a connection through a parser, which it stores under this name.
  const read = new Map<string | undefined, boolean>();
  server.on("connection", (socket: Socket & { parser?: unknown }) =>
    read.set(socket.remoteAddress, Boolean(socket.parser)),
  );
  await pipeline(port, 300, "never");
  expect(read.get("127.0.0.1")).toBe(true);
  for (const localAddress of ["127.0.0.1", "127.0.0.2"]) {
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    onTestFinished(() => void socket.destroy());
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const [answer] = await once(socket, "data");
    expect(String(answer)).toContain("200 OK");
    expect(read.get(localAddress)).toBe(localAddress === "127.0.0.2");
  }
});

test("readiness is 503 until pages and API are warm", async () => {
  let warm = false;
  const port = await start(() => warm);
  const statuses = () =>
    Promise.all(
      ["health", "ready", "live"].map(
        async (name) => (await fetch(`http://127.0.0.1:${port}/api/${name}`)).status,
      ),
    );
  expect(await statuses()).toEqual([503, 503, 404]);
  warm = true;
  expect(await statuses()).toEqual([404, 404, 404]);
});

test("a connection is cut when its reader takes nothing of a response, and not while the page takes its time", async () => {
  let began = false;
  let finish: () => void = () => undefined;
  const large = Buffer.alloc(32 * 1_048_576);
  const pages: PageHandler = async (incoming, outgoing) => {
    if (incoming.url === "/large") return void outgoing.end(large);
    began = true;
    finish = () => void outgoing.end("page");
  };
  const server = createHttpServer(
    { table: createRouteTable([]), pages, hops: 0, draining: () => false },
    300,
  );
  onTestFinished(() => void server.close().closeAllConnections());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const slow = fetch(`http://127.0.0.1:${port}/slow`);
  await vi.waitFor(() => expect(began).toBe(true), { timeout: 60_000 });
  const socket = connect(port, "127.0.0.1").pause();
  onTestFinished(() => void socket.destroy());
  const cut = once(server, "connection").then(([connection]) => once(connection, "close"));
  socket.write("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await cut;
  finish();
  expect(await (await slow).text()).toBe("page");
});
