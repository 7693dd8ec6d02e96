import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { createHttpServer, drainable } from "./http-server";
import type { Site } from "./listener";
import { apiRefusal, sendRawRefusal } from "./refusal";
import { createRouteTable } from "./table";

const pages: Site["pages"] = async (_incoming, outgoing) => void outgoing.end("page");

/** A server with an open port, and the function that drains it. */
async function listening() {
  let draining = false;
  const site = { table: createRouteTable([]), pages, hops: 0, draining: () => draining };
  const server = createHttpServer(site);
  const finish = drainable(server);
  const drain = () => {
    draining = true;
    return finish();
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, drain };
}

/** Sends a request on a connection that the client never ends, and resolves with the answer's first bytes. */
async function ask(server: Server, request: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  socket.write(request);
  const [bytes] = await once(socket, "data");
  socket.resume();
  return String(bytes);
}

const connections = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));

test.each([
  ["CONNECT", "CONNECT other.test:443 HTTP/1.1\r\nHost: other.test\r\n\r\n", 405],
  ["a request that is not HTTP", "GET nothing\r\n\r\n", 400],
])(
  "the connection of %s is closed after its refusal, also if the client does not end it",
  async (_, request, status) => {
    const { server } = await listening();
    onTestFinished(() => void server.close());
    expect(await ask(server, request)).toContain(`HTTP/1.1 ${status}`);
    await vi.waitFor(async () => expect(await connections(server)).toBe(0), { timeout: 60_000 });
  },
);

test("a refused client has a second to read its answer", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const socket = new PassThrough();
  sendRawRefusal(socket, apiRefusal("METHOD_NOT_ALLOWED"));
  const destroyed = [900, 200].map((ms) => vi.advanceTimersByTime(ms) && socket.destroyed);
  expect(destroyed).toEqual([false, true]);
});

test("an orderly stop cuts connections that Node has handed over", async () => {
  const { server, drain } = await listening();
  server.on("upgrade", (_, socket) => socket.write("HTTP/1.1 101 Switching Protocols\r\n\r\n"));
  const upgrade = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n";
  expect(await ask(server, upgrade)).toContain("101");
  await drain();
  expect(server.listening).toBe(false);
});

test("an orderly stop answers a call that is on its way on a kept connection, and closes the silent ones", async () => {
  const { server, drain } = await listening();
  const { port } = server.address() as AddressInfo;
  const call = "GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const open = async () => {
    const socket = connect({ port, host: "127.0.0.1" });
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes;
    });
    socket.write(call);
    await vi.waitFor(() => expect(text).toContain("page"));
    return { socket, ended: once(socket, "close").then(() => text) };
  };
  const [busy, silent] = [await open(), await open()];
  busy.socket.write(call);
  const drained = drain();
  expect((await busy.ended).match(/HTTP\/1.1 200/g)).toHaveLength(2);
  expect(await busy.ended).toMatch(/connection: close/i);
  expect((await silent.ended).match(/HTTP\/1.1 200/g)).toHaveLength(1);
  await drained;
});
