import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { eq } from "drizzle-orm";
import { redeemCall } from "@/bench/floors/redeem-call";
import { openDatabase } from "@/lib/platform/db/client";
import { apps } from "@/lib/platform/db/schema";
import { receiveConfirmation } from "@/lib/program/confirmations/receive";
import { revenuecat } from "@/lib/program/providers/revenuecat/adapter";
import { getOrCreateReferrer } from "@/lib/program/referrers/get-or-create";
import { systemContext } from "@/lib/tenants/apps/app";

// The cost of Node alone: `GET /empty`, and the API's requests with the service's SQL but none of its checks.
const [url = "", appId = "", workspaceId = "", connectionId = ""] = process.argv.slice(2);
const db = openDatabase({ url, size: 8 });
const [app] = await db.orm.select().from(apps).where(eq(apps.id, appId));
if (!app) throw new Error("The sample has no app");
const ctx = systemContext(db, app);

type Answer = [status: number, body: unknown];

const ROUTES: Record<string, (body: string) => Promise<Answer>> = {
  "/redeem": async (body) => {
    const { metacode, referee_uid } = JSON.parse(body);
    const { rows } = await db.pool.query(redeemCall(appId, workspaceId, metacode, referee_uid));
    const { verdict, code } = rows[0].result;
    return [verdict === "OK" ? 200 : 409, { code }];
  },
  "/referrer": async (body) => [200, await getOrCreateReferrer(ctx, JSON.parse(body))],
  "/confirmation": async (body) => {
    const event = revenuecat.read({
      rawBody: Buffer.from(body),
      headers: new Headers(),
      webPurchases: false,
    });
    const { status } = await receiveConfirmation(ctx, connectionId, event);
    return [status === "confirmed" ? 200 : 409, { status }];
  },
};

function answer(outgoing: ServerResponse, [status, body]: Answer): void {
  const text = JSON.stringify(body);
  outgoing.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
  });
  outgoing.end(text);
}

async function respond(incoming: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const route = ROUTES[incoming.url ?? ""];
  return route ? route(Buffer.concat(chunks).toString()) : [404, {}];
}

const server = createServer((incoming, outgoing) => {
  if (incoming.method === "GET") return answer(outgoing, [200, { ok: true }]);
  respond(incoming).then(
    (answered) => answer(outgoing, answered),
    (error: Error) => answer(outgoing, [500, { error: error.message }]),
  );
});
process.on("disconnect", () => process.exit(0));
process.on("SIGINT", () => undefined);
server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
