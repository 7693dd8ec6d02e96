import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { and, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { ALERT_KINDS, type AlertKind } from "@/lib/contract/problems";
import { createChannel } from "@/lib/outward/problems/channels";
import { alertQueue } from "@/lib/outward/problems/post";
import { database } from "@/lib/platform/db/client";
import { alertPosts, pools } from "@/lib/platform/db/schema";
import type { Context } from "@/lib/tenants/context";
import { clientOf } from "@/lib/testing/client";
import { refer } from "@/lib/testing/confirm";
import { withProvider } from "@/lib/testing/problems";
import { workOff } from "@/lib/testing/queue";
import { asTeamMember } from "@/lib/testing/support";
import { makeTenant } from "@/lib/testing/tenant";

export type Chat = Awaited<ReturnType<typeof startChat>>;

/** Starts a chat's incoming webhook, which stores each post and answers with a status that a test may change. */
export async function startChat() {
  const posts: { path: string; body: Record<string, unknown> }[] = [];
  const chat = { status: 200 };
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    posts.push({ path: request.url ?? "", body: JSON.parse(text) });
    response.writeHead(chat.status).end("ok");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    posts,
    /** The status of every later response. */
    answer: (status: number) => {
      chat.status = status;
    },
    url: (path: string) => `http://127.0.0.1:${port}/${path}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Makes an app's waiting alerts due, posts them and returns their number. */
export async function sendQueued(ctx: Context): Promise<number> {
  const { appId } = alertPosts;
  const rows = await database()
    .orm.update(alertPosts)
    .set({ dueAt: sql`now()` })
    .where(eq(appId, ctx.app.id))
    .returning({ id: alertPosts.id });
  // A channel has one post under way at a time.
  while ((await workOff(alertQueue(database()), 100)) > 0);
  return rows.length;
}

/** An app whose iOS referee pool of 7 codes is low at 5, with a chat for its alerts; `assignCodes` assigns the pool's codes. */
export async function watchedPool(chat: Chat, kinds: AlertKind[] = ALERT_KINDS) {
  const tenant = await withProvider(await makeTenant({ codes: 7, threshold: 100 }));
  const ctx = asTeamMember(tenant.ctx);
  const low = and(eq(pools.appId, ctx.app.id), eq(pools.id, tenant.pools.ios.referee));
  await database().orm.update(pools).set({ lowStock: 0 }).where(eq(pools.appId, ctx.app.id));
  await database().orm.update(pools).set({ lowStock: 5 }).where(low);
  const path = uuidv7();
  const { id } = await createChannel(ctx, { type: "slack", name: "ops", target: chat.url(path), kinds });
  const { metacode } = (await clientOf(tenant.key).referrer("ann")).body;
  return {
    tenant,
    ctx,
    path,
    channelId: id,
    assignCodes: (count: number) => refer(tenant, metacode, count),
    posts: () => chat.posts.filter((post) => post.path === `/${path}`).map(({ body }) => String(body.text)),
  };
}
