import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Redis } from "ioredis";
import { withoutShebang } from "@/lib/platform/limits/store";

type Reply = { result: unknown } | { error: string };
type Command = [name: string, ...args: (string | number)[]];

/** The REST interface of Upstash in front of a plain Redis, for the real `@upstash/redis` client. */
export interface Bridge {
  url: string;
  token: string;
  /** Every requested path, in order. */
  requests: string[];
  stop(): Promise<void>;
}

const TOKEN = "bridge-token";

/** Serves `POST /`, `/pipeline` and `/multi-exec`, with strings in base64 when the client asks for it. */
export async function startBridge(redisUrl: string): Promise<Bridge> {
  const redis = new Redis(redisUrl);
  redis.on("error", () => {});
  const run = runner(redis);
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    void answer(request, response, run);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: TOKEN,
    requests,
    stop: async () => {
      redis.disconnect();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, run: ReturnType<typeof runner>) {
  const send = (status: number, body: unknown) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  if (request.headers.authorization !== `Bearer ${TOKEN}`) return send(401, { error: "Unauthorized" });
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString()) as unknown;
  const encode = request.headers["upstash-encoding"] === "base64" ? encoded : (reply: Reply) => reply;
  if (request.url === "/") {
    const reply = await run.runOne(body as Command);
    return send("error" in reply ? 400 : 200, encode(reply));
  }
  if (request.url === "/pipeline") return send(200, (await run.each(body as Command[])).map(encode));
  if (request.url === "/multi-exec") return send(200, (await run.together(body as Command[])).map(encode));
  send(404, { error: "Not found" });
}

/** Runs commands. Drops the first line of the library's scripts, which Upstash understands and the Redis here does not. */
function runner(redis: Redis) {
  const hashes = new Map<string, string>();
  const translate = ([name, first, ...rest]: Command): Command => {
    const verb = name.toLowerCase();
    if (verb === "evalsha") return [name, hashes.get(String(first)) ?? String(first), ...rest];
    if (verb !== "eval") return first === undefined ? [name] : [name, first, ...rest];
    const text = withoutShebang(String(first));
    hashes.set(sha1(String(first)), sha1(text));
    return [name, text, ...rest];
  };
  const runOne = async (command: Command): Promise<Reply> => {
    try {
      const [name, ...args] = translate(command);
      return { result: await redis.call(name, ...args) };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  };
  const together = async (commands: Command[]): Promise<Reply[]> => {
    const transaction = redis.multi();
    for (const [name, ...args] of commands.map(translate)) transaction.call(name, ...args);
    const replies = (await transaction.exec()) ?? [];
    return replies.map(([error, result]) => (error ? { error: error.message } : { result }));
  };
  return { runOne, together, each: (commands: Command[]) => Promise.all(commands.map(runOne)) };
}

const sha1 = (text: string) => createHash("sha1").update(text).digest("hex");

function encoded(reply: Reply): Reply {
  return "error" in reply ? reply : { result: inBase64(reply.result) };
}

/** Encodes strings, except `OK`, which the client looks for before it decodes. */
function inBase64(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inBase64);
  return typeof value === "string" && value !== "OK" ? Buffer.from(value).toString("base64") : value;
}
