import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, onTestFinished } from "vitest";

/** The first response on a raw connection; status 0 when the server closed without one. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Splits head and body by Content-Length; undefined until the response is complete. */
function parse(bytes: Buffer, ended: boolean): RawAnswer | undefined {
  const text = bytes.toString("latin1");
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return ended ? { status: 0, headers: {}, body: "" } : undefined;
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const pairs = lines
    .map((line) => line.split(/:\s*/, 2))
    .map(([name = "", value = ""]) => [name.toLowerCase(), value]);
  const headers: Record<string, string> = Object.fromEntries(pairs);
  const body = text.slice(end + 4);
  const wanted = Number(headers["content-length"] ?? 0);
  if (!ended && body.length < wanted) return undefined;
  return { status: Number(first.split(" ")[1]), headers, body: body.slice(0, wanted) };
}

/** Sends bytes unchanged and resolves with the first complete response; `feed` may write more. */
export function exchange(
  port: number,
  request: string | Buffer,
  feed?: (socket: Socket) => void | Promise<void>,
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    let seen = Buffer.alloc(0);
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(typeof request === "string" ? Buffer.from(request, "latin1") : request);
      void feed?.(socket);
    });
    const look = (ended: boolean) => {
      const answer = parse(seen, ended);
      if (!answer) return;
      resolve(answer);
      socket.destroy();
    };
    socket.on("data", (chunk: Buffer) => {
      seen = Buffer.concat([seen, chunk]);
      look(false);
    });
    socket.on("error", () => look(true));
    socket.on("close", () => look(true));
  });
}

/** Requests for a page that have arrived and wait for the test, with the responses that their clients will get. */
export async function heldRequests(count: number) {
  const held: [IncomingMessage, ServerResponse][] = [];
  const server = createServer((...request) => held.push(request)).listen(0);
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const request = "GET /docs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  const answers = Array.from({ length: count }, () => exchange(port, request));
  await expect.poll(() => held.length).toBe(count);
  return { held, answers };
}

/** Adds "turn" to a list at each turn of the event loop, until the returned function is called. */
export function noteTurns(order: string[]): () => void {
  const turn = () => {
    order.push("turn");
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  return () => clearImmediate(next);
}
