import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { afterEach, expect, test } from "vitest";
import { createChannel, listChannels } from "@/lib/outward/problems/channels";
import { detect } from "@/lib/outward/problems/detect";
import { sendTestAlert } from "@/lib/outward/problems/post";
import { createEndpoint, rotateEndpointSecret } from "@/lib/outward/webhooks/manage-endpoints";
import { webhookEndpoints } from "@/lib/platform/db/schema";
import { env } from "@/lib/platform/env";
import { getConnection } from "@/lib/program/connections/connection";
import { createConnection } from "@/lib/program/connections/create";
import { findConnection } from "@/lib/program/connections/find";
import { rotateConnectionSecret } from "@/lib/program/connections/update";
import { emitExample } from "@/lib/testing/events";
import { useService } from "@/lib/testing/service";
import { asTeamMember } from "@/lib/testing/support";
import { makeTenant } from "@/lib/testing/tenant";
import { deliverOpen } from "@/lib/testing/webhooks/webhooks";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8" });

const secret = "a secret of the tests, 32 characters";
const loseKey = () => Object.assign(env(), { AUTH_SECRET: "k".repeat(32) });
afterEach(() => Object.assign(env(), { AUTH_SECRET: secret }));

const send = async () => ({ status: 200, headers: {}, body: "", ms: 1 });

test("a connection whose key is missing is a problem, and its provider is asked to retry", async () => {
  const { ctx } = await makeTenant();
  const { id } = await createConnection(ctx, { provider: "revenuecat" });
  loseKey();
  expect(await getConnection(ctx, id)).toMatchObject({ unreadable: true, waiting: false });
  await expect(findConnection(ctx.db, "revenuecat", id)).rejects.toMatchObject({
    code: "SERVICE_UNAVAILABLE",
    retryAfter: 60,
  });
  const own = { kind: "provider_refused", subject: id, severity: "critical" };
  expect(await detect(ctx)).toContainEqual(
    expect.objectContaining({ ...own, title: "The secret of RevenueCat cannot be read" }),
  );
  const rotated = await rotateConnectionSecret(ctx, id, "24h");
  expect(await findConnection(ctx.db, "revenuecat", id)).toMatchObject({
    secret: rotated.secret,
    former: null,
  });
  expect((await getConnection(ctx, id)).formerUntil).toBeNull();
  expect(await detect(ctx)).not.toContainEqual(expect.objectContaining(own));
});

test("an endpoint whose key is missing is a problem, and its deliveries wait for another secret", async () => {
  const { ctx } = await makeTenant();
  const { id } = await createEndpoint(ctx, { url: "https://hooks.example.com/in", events: ["pool.low"] });
  await emitExample(ctx.db, ctx.app.id, "pool.low", { pool_id: uuidv7() });
  loseKey();
  expect(await deliverOpen(ctx, { send })).toEqual(["failed"]);
  const own = { kind: "webhook_failing", subject: `${id} unsigned`, severity: "critical" };
  // Nothing is sent, so nothing is the endpoint's fault.
  await ctx.db.orm.update(webhookEndpoints).set({ warnedAt: new Date() }).where(eq(webhookEndpoints.id, id));
  const failing = (await detect(ctx)).filter(({ kind }) => kind === "webhook_failing");
  expect(failing).toEqual([expect.objectContaining(own)]);
  await rotateEndpointSecret(ctx, id, "24h");
  const [stored] = await ctx.db.orm.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id));
  expect(stored).toMatchObject({ formerSecret: null, formerUntil: null });
  expect(await deliverOpen(ctx, { send })).toEqual(["delivered"]);
  expect(await detect(ctx)).not.toContainEqual(expect.objectContaining(own));
});

test("a channel whose key is missing says so, and sends nothing", async () => {
  const ctx = asTeamMember((await makeTenant()).ctx);
  const target = "https://hooks.example.com/T0/B0/abcdefgh";
  const { id } = await createChannel(ctx, { type: "slack", name: "", target, kinds: ["quota"] });
  const mailbox = "on-call@example.com";
  await createChannel(ctx, { type: "mail", name: "on call", target: mailbox, kinds: ["quota"] });
  expect(await detect(ctx)).not.toContainEqual(expect.objectContaining({ kind: "backlog" }));
  loseKey();
  expect((await listChannels(ctx))[0]?.masked).toMatch(/^Address unreadable/);
  const titles = (await detect(ctx)).filter(({ kind }) => kind === "backlog").map(({ title }) => title);
  expect(titles.sort()).toEqual(["A chat gets no alerts", "on call gets no alerts"]);
  await expect(sendTestAlert(ctx, id)).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringMatching(/cannot be read/),
  });
});
