import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import pg from "pg";
import { redeemCall } from "@/bench/floors/redeem-call";
import { connection } from "@/lib/platform/db/client";

// The cost of Node itself: `GET /empty`, and `POST /redeem` with the service's own SQL and none of its checks.
const [url = "", appId = "", workspaceId = ""] = process.argv.slice(2);
const pool = new pg.Pool(connection({ url, size: 8 }));

function answer(outgoing: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  outgoing.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
  });
  outgoing.end(text);
}

async function redeem(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { metacode, referee_uid } = JSON.parse(Buffer.concat(chunks).toString());
  const { rows } = await pool.query(redeemCall(appId, workspaceId, metacode, referee_uid));
  const { verdict, code } = rows[0].result;
  answer(outgoing, verdict === "OK" ? 200 : 409, { code });
}

const server = createServer((incoming, outgoing) => {
  if (incoming.method === "GET") return answer(outgoing, 200, { ok: true });
  redeem(incoming, outgoing).catch((error: Error) => answer(outgoing, 500, { error: error.message }));
});
process.on("disconnect", () => process.exit(0));
process.on("SIGINT", () => undefined);
server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
