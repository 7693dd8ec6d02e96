import { and, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import * as deliveriesRoute from "@/app/api/webhooks/[id]/deliveries/route";
import * as webhookRoute from "@/app/api/webhooks/[id]/route";
import * as webhooksRoute from "@/app/api/webhooks/route";
import { deliveriesResponse, webhookResponse, webhooksResponse } from "@/lib/contract/webhooks";
import { findDelivery } from "@/lib/outward/webhooks/deliveries";
import { listDeliveriesSince } from "@/lib/outward/webhooks/deliveries-about";
import { lastDeliveries } from "@/lib/outward/webhooks/endpoints";
import { database } from "@/lib/platform/db/client";
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from "@/lib/platform/db/schema";
import { clientOf, readReply } from "@/lib/testing/client";
import { useService } from "@/lib/testing/service";
import { makeKey, makeTenant, type Tenant } from "@/lib/testing/tenant";
import { deliveriesOf, makeReceiver } from "@/lib/testing/webhooks/webhooks";
import type { RouteHandlers } from "@/lib/web/http/route";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8" });

const SECRET = "whsec_c2VjcmV0c2VjcmV0c2VjcmV0";

async function ask(
  handlers: RouteHandlers,
  key: string | undefined,
  params: Record<string, string> = {},
  query = "",
) {
  const request = new Request(`http://localhost:3000/api/webhooks${query}`, {
    headers: key ? { "x-api-key": key } : {},
  });
  return readReply(await handlers.GET(request, { params: Promise.resolve(params) }));
}

const pageOf = (key: string, id: string, query = "") => ask(deliveriesRoute, key, { id }, query);

async function makeWebhook(tenant: Tenant, url = "https://example.com/hook"): Promise<string> {
  const id = uuidv7();
  const appId = tenant.ctx.app.id;
  await database()
    .orm.insert(webhookEndpoints)
    .values({ appId, id, url, events: ["referral.redeemed"], secret: SECRET });
  return id;
}

/** Ids in the order of creation. */
async function deliver(tenant: Tenant, endpointId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7());
  const rest = {
    endpointId,
    appId: tenant.ctx.app.id,
    eventType: "referral.redeemed",
    status: "pending" as const,
  };
  await database()
    .orm.insert(webhookDeliveries)
    .values(ids.map((id) => ({ ...rest, id, eventId: uuidv7() })));
  return ids;
}

const MINUTE = 60_000;
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE);
const soon = new Date(Date.now() + 60 * MINUTE);

test.each([
  ["sending", { wakeAt: ago(5), leasedUntil: soon }],
  ["queued", { wakeAt: ago(0) }],
  ["late", { wakeAt: ago(5) }],
  ["endpoint", { wakeAt: soon, parkedAt: ago(1) }],
  ["retry", { wakeAt: soon, dueAt: soon }],
  ["earlier", { wakeAt: soon, dueAt: ago(1) }],
  [null, { status: "dead" as const, wakeAt: ago(5) }],
])("an open delivery says why it waits: %s", async (progress, values) => {
  const tenant = await makeTenant();
  const endpointId = await makeWebhook(tenant);
  const [id = ""] = await deliver(tenant, endpointId, 1);
  await database().orm.update(webhookDeliveries).set(values).where(eq(webhookDeliveries.id, id));
  expect((await findDelivery(tenant.ctx, endpointId, id))?.progress).toBe(progress);
});

describe("webhook endpoints", () => {
  test("are listed newest first, without a secret", async () => {
    const tenant = await makeTenant();
    const first = await makeWebhook(tenant);
    const second = await makeWebhook(tenant, "https://user:hunter2@example.com/hook");
    const reply = await ask(webhooksRoute, tenant.key);
    expect(reply.status).toBe(200);
    expect(webhooksResponse.strict().parse(reply.body)).toEqual(reply.body);
    expect(reply.body.data.map(({ id }: { id: string }) => id)).toEqual([second, first]);
    expect(reply.body.data[0].url).toBe("https://example.com/hook");
    expect(JSON.stringify(reply.body)).not.toMatch(/whsec|secret|hunter2/);
  });

  test("can be read individually", async () => {
    const tenant = await makeTenant();
    const id = await makeWebhook(tenant);
    const reply = await ask(webhookRoute, tenant.key, { id });
    expect(webhookResponse.strict().parse(reply.body)).toMatchObject({ id, enabled: true });
    expect((await ask(webhookRoute, tenant.key, { id: id.toUpperCase() })).body.id).toBe(id);
  });

  test("of another app are as unknown as no id at all", async () => {
    const [tenant, other] = [await makeTenant(), await makeTenant()];
    const theirs = await makeWebhook(other);
    await deliver(other, theirs, 1);
    for (const id of [theirs, uuidv7(), "nonsense", "%00"]) {
      for (const route of [webhookRoute, deliveriesRoute]) {
        const { status, body } = await ask(route, tenant.key, { id });
        expect([status, body.error?.code]).toEqual([404, "NOT_FOUND"]);
      }
    }
    expect((await ask(webhooksRoute, tenant.key)).body).toEqual({ data: [], next_cursor: null });
  });

  test("need a key with webhook:read, and GET", async () => {
    const tenant = await makeTenant();
    const id = await makeWebhook(tenant);
    const narrow = await makeKey(tenant, ["referee:redeem"]);
    const reading = await makeKey(tenant, ["webhook:read"]);
    for (const route of [webhooksRoute, webhookRoute, deliveriesRoute]) {
      expect((await ask(route, undefined, { id })).status).toBe(401);
      expect((await ask(route, narrow, { id })).body.error.code).toBe("FORBIDDEN");
      expect((await ask(route, reading, { id })).status).toBe(200);
      const post = new Request("http://localhost:3000/api/webhooks", { method: "POST" });
      const refused = await route.POST(post, { params: Promise.resolve({ id }) });
      expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, OPTIONS"]);
    }
  });
});

describe("deliveries", () => {
  test("come newest first, 20 at a time, each exactly once", async () => {
    const tenant = await makeTenant();
    const id = await makeWebhook(tenant);
    await deliver(tenant, await makeWebhook(tenant), 3);
    const ids = await deliver(tenant, id, 45);
    const seen: string[] = [];
    const sizes: number[] = [];
    for (let query = ""; ; ) {
      const { body } = await pageOf(tenant.key, id, query);
      expect(deliveriesResponse.strict().parse(body)).toEqual(body);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      sizes.push(body.data.length);
      if (body.next_cursor === null) break;
      query = `?cursor=${body.next_cursor}`;
    }
    expect(sizes).toEqual([20, 20, 5]);
    expect(seen).toEqual(ids.reverse());
  });

  test("are found as the newest of each endpoint that has one, of this app alone", async () => {
    const [tenant, other] = [await makeTenant(), await makeTenant()];
    const [busy, quiet] = [await makeWebhook(tenant), await makeWebhook(tenant)];
    await deliver(other, await makeWebhook(other), 1);
    await deliver(tenant, busy, 3);
    const { body } = await pageOf(tenant.key, busy);
    const [{ status, created_at }] = body.data;
    expect([...(await lastDeliveries(tenant.ctx))]).toEqual([[busy, { status, created_at }]]);
    expect((await pageOf(tenant.key, quiet)).body.data).toEqual([]);
  });

  test("end without a cursor when the last page is full", async () => {
    const tenant = await makeTenant();
    const id = await makeWebhook(tenant);
    await deliver(tenant, id, 2);
    const { body } = await pageOf(tenant.key, id, "?limit=2");
    expect([body.data.length, body.next_cursor]).toEqual([2, null]);
  });

  test.each(["0", "101", "-1", "1.5", "ten", "", "1e1", "+5", "999999999999"])(
    "limit=%s is 400",
    async (limit) => {
      const tenant = await makeTenant();
      const { status, body } = await pageOf(
        tenant.key,
        await makeWebhook(tenant),
        `?limit=${encodeURIComponent(limit)}`,
      );
      expect([status, body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
      expect(body.error.message).toContain("limit");
    },
  );

  test.each(["", "x", "AAAA", `${"A".repeat(21)}B`, "!".repeat(22), "A".repeat(44)])(
    "cursor=%s is 400",
    async (cursor) => {
      const tenant = await makeTenant();
      const { status, body } = await pageOf(tenant.key, await makeWebhook(tenant), `?cursor=${cursor}`);
      expect(status).toBe(400);
      expect(body.error.message).toContain("cursor");
    },
  );

  test("an address cannot be chosen through the query", async () => {
    const [tenant, other] = [await makeTenant(), await makeTenant()];
    const theirs = await makeWebhook(other);
    const mine = await makeWebhook(tenant);
    expect((await pageOf(tenant.key, mine, `?id=${theirs}`)).status).toBe(200);
    expect((await pageOf(tenant.key, theirs, `?id=${mine}`)).status).toBe(404);
  });
});

test("an attempt that is stored while the deliveries are read is no refusal of a delivery that was still open", async () => {
  const { ctx, key } = await makeTenant();
  await makeReceiver(ctx, { answer: () => 200 });
  const since = new Date();
  const { referrer_id: referrerId, metacode } = (await clientOf(key).referrer("ann")).body;
  await clientOf(key).redeem("ben", metacode);
  const [{ id: deliveryId = "" } = {}] = await deliveriesOf(ctx);
  const read = async () => (await listDeliveriesSince(ctx, since, ["ben"], referrerId))[0]?.attempt ?? null;
  await ctx.db.orm
    .insert(webhookAttempts)
    .values({ appId: ctx.app.id, deliveryId, number: 1, ms: 5, responseStatus: 200, requestHeaders: {} });
  expect(await read()).toBeNull();
  await ctx.db.orm
    .update(webhookDeliveries)
    .set({ attempts: 1 })
    .where(and(eq(webhookDeliveries.appId, ctx.app.id), eq(webhookDeliveries.id, deliveryId)));
  expect(await read()).toMatchObject({ responseStatus: 200 });
});
