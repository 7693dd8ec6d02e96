import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** A request that a tenant's server received. */
export interface ReceivedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

type Answer = (request: ReceivedRequest, response: ServerResponse, index: number) => void;

/** A tenant's server on this machine; tests allow loopback addresses to reach it. */
export interface Receiver {
  url: string;
  got: ReceivedRequest[];
  /** Replaces the answer to every later request. */
  answer(next: Answer): void;
  stop(): Promise<void>;
}

async function read(request: IncomingMessage): Promise<ReceivedRequest> {
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

/** Starts a receiver that answers 204 until `answer` is called, on any free port unless one is given. */
export async function startReceiver(ownPort = 0): Promise<Receiver> {
  const got: ReceivedRequest[] = [];
  let answer: Answer = (_, response) => void response.writeHead(204).end();
  const server: Server = createServer(async (request, response) => {
    const received = await read(request).catch(() => undefined);
    if (!received) return;
    got.push(received);
    answer(received, response, got.length - 1);
  });
  server.listen(ownPort, "127.0.0.1");
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
