import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/**
 * A disturbance of a request: its answer is lost or cut although the work was done, or an error page, a captive
 * portal, a proxy that asks to wait until a date, or the developer's own server answers in place of the service.
 */
type AnswerFault = "lost" | "cut" | "error page" | "portal" | "wait" | "unauthorized";

const INSTEAD: Record<string, [status: number, type: string, body: string]> = {
  "error page": [502, "text/html", "<h1>Bad gateway</h1>"],
  portal: [200, "text/html", "<h1>Welcome to the Wi-Fi</h1>"],
  wait: [429, "text/html", "<h1>Slow down</h1>"],
  unauthorized: [401, "application/json", '{"error":"Unauthorized"}'],
};

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function forward(base: string, request: IncomingMessage, body: Buffer) {
  const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
  const response = await fetch(base + request.url, {
    method: request.method ?? "POST",
    headers: headers as Record<string, string>,
    body: new Uint8Array(body),
  });
  return { response, text: await response.text() };
}

async function answer(
  base: string,
  fault: AnswerFault | undefined,
  request: IncomingMessage,
  reply: ServerResponse,
): Promise<void> {
  const body = await bodyOf(request);
  const instead = fault && INSTEAD[fault];
  if (instead) {
    const [status, type, text] = instead;
    const inASecond = new Date(Date.now() + 1_000).toUTCString();
    reply.writeHead(status, { "content-type": type, ...(fault === "wait" && { "retry-after": inASecond }) });
    reply.end(text);
    return;
  }
  const { response, text } = await forward(base, request, body);
  if (fault === "lost") {
    request.socket.destroy();
    return;
  }
  const length = { "content-length": String(Buffer.byteLength(text)) };
  const wait = response.headers.get("retry-after");
  reply.writeHead(response.status, {
    "content-type": "application/json",
    ...length,
    ...(wait && { "retry-after": wait }),
  });
  if (fault === "cut") reply.write(text.slice(0, text.length / 2), () => request.socket.destroy());
  else reply.end(text);
}

/** A proxy before the service at `base`: the requests of a path meet its faults one after the other, later ones none. */
export async function startFaultProxy(
  base: string,
  faults: Record<string, AnswerFault[]>,
): Promise<{ url: string; met: AnswerFault[]; server: Server }> {
  const left = new Map(Object.entries(faults).map(([path, list]) => [path, [...list]]));
  const met: AnswerFault[] = [];
  const server = createServer((request, reply) => {
    const fault = left.get(request.url ?? "")?.shift();
    if (fault) met.push(fault);
    answer(base, fault, request, reply).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}`, met, server };
}
