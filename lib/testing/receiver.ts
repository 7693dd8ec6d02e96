import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** A request that somebody's server got. */
export interface Received {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

type Answer = (request: Received, response: ServerResponse, index: number) => void;

/** Somebody's server on this machine; tests allow loopback to reach it. */
export interface Receiver {
  url: string;
  got: Received[];
  /** What it does from now on. */
  answer(next: Answer): void;
  stop(): Promise<void>;
}

async function read(request: IncomingMessage): Promise<Received> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  return {
    method: request.method ?? "",
    path: request.url ?? "",
    headers,
    body: Buffer.concat(parts).toString(),
  };
}

/** Answers 204 until it is told otherwise. */
export async function startReceiver(): Promise<Receiver> {
  const got: Received[] = [];
  let answer: Answer = (_, response) => void response.writeHead(204).end();
  const server: Server = createServer(async (request, response) => {
    const one = await read(request).catch(() => undefined);
    if (!one) return;
    got.push(one);
    answer(one, response, got.length - 1);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    if (server.listening) await once(server, "close");
  };
  return {
    url: `http://127.0.0.1:${port}`,
    got,
    answer: (next) => {
      answer = next;
    },
    stop,
  };
}
