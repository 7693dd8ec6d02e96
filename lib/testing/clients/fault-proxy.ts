import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

const SUMMER = { code: "SUMMER", instructions: "Redeem it", store_url: "https://example.com/ios" };

/** Rewards claimed before, which come with the error of the next claim. */
export const CLAIMED_BEFORE = [SUMMER, { ...SUMMER, code: "WINTER" }];
/** A code of the other store with the same text as an earlier code. */
export const SAME_TEXT = { ...SUMMER, store_url: "https://example.com/android" };

const noReward = (code: string, recent: object[]) =>
  JSON.stringify({ error: { code, message: "No reward" }, recent_claims: recent });

/**
 * A fault of a request. `lost` drops and `cut` halves the response after the work is done, and `paused` turns
 * ALREADY_REDEEMED into METACODE_NOT_FOUND. Every other fault answers in place of the service, as {@link INSTEAD} says.
 */
export type AnswerFault =
  | ("lost" | "cut" | "paused")
  | (
      | "error page"
      | "portal"
      | "portal's JSON"
      | "wait"
      | "unauthorized"
      | "expired"
      | "blocked"
      | "missing"
      | "no code"
      | "same text"
      | "assigned"
    );

const INSTEAD: Record<string, [status: number, type: string, body: string, wait?: () => string]> = {
  "error page": [502, "text/html", "<h1>Bad gateway</h1>"],
  portal: [200, "text/html", "<h1>Welcome to the Wi-Fi</h1>"],
  "portal's JSON": [200, "application/json", '{"message":"Welcome to the Wi-Fi"}'],
  wait: [429, "text/html", "<h1>Slow down</h1>", () => new Date(Date.now() + 1_000).toUTCString()],
  unauthorized: [401, "application/json", '{"error":"Unauthorized"}'],
  expired: [401, "application/json", '{"error":{"code":"NO_SESSION","message":"Sign in again"}}'],
  blocked: [403, "application/json", '{"error":{"code":"BLOCKED","message":"Blocked by a rule"}}'],
  missing: [404, "text/html", "<h1>Not found</h1>"],
  "no code": [503, "application/json", noReward("NO_CODES_AVAILABLE", CLAIMED_BEFORE), () => "3600"],
  "same text": [404, "application/json", noReward("NO_REWARDS_AVAILABLE", [...CLAIMED_BEFORE, SAME_TEXT])],
  assigned: [200, "application/json", JSON.stringify(SUMMER)],
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
    const [status, type, text, wait] = instead;
    reply.writeHead(status, { "content-type": type, ...(wait && { "retry-after": wait() }) });
    reply.end(text);
    return;
  }
  const { response, text: given } = await forward(base, request, body);
  const text = fault === "paused" ? given.replace("ALREADY_REDEEMED", "METACODE_NOT_FOUND") : given;
  if (fault === "lost") {
    request.socket.destroy();
    return;
  }
  const length = { "content-length": String(Buffer.byteLength(text)) };
  const wait = response.headers.get("retry-after");
  reply.writeHead(text === given ? response.status : 404, {
    "content-type": "application/json",
    ...length,
    ...(wait && { "retry-after": wait }),
  });
  if (fault === "cut") reply.write(text.slice(0, text.length / 2), () => request.socket.destroy());
  else reply.end(text);
}

/** Starts a proxy in front of the service at `base`. Each request to a path meets the path's next fault, later ones none. */
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
