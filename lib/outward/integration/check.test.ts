import { eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import { SCOPES } from "@/lib/contract/api-key";
import type { CheckTopic } from "@/lib/contract/integration-check";
import { checkIntegration } from "@/lib/outward/integration/check";
import { newestEvents } from "@/lib/outward/integration/check-ids";
import { newestRequests } from "@/lib/outward/integration/check-keys";
import { newestRedeems } from "@/lib/outward/integration/check-loop";
import { newestDeliveries } from "@/lib/outward/integration/check-webhooks";
import { flushRequests } from "@/lib/outward/request-log/buffer";
import {
  campaigns,
  connectionRefusals,
  providerConnections,
  providerEvents,
  webhookDeliveries,
} from "@/lib/platform/db/schema";
import { receiveConfirmation } from "@/lib/program/confirmations/receive";
import { createConnection } from "@/lib/program/connections/create";
import { connectionHealth } from "@/lib/program/connections/health";
import { insertKey } from "@/lib/tenants/api-keys/create";
import { revokeKey } from "@/lib/tenants/api-keys/lifecycle";
import { flushUses } from "@/lib/tenants/api-keys/uses";
import type { Context } from "@/lib/tenants/context";
import { clientOf } from "@/lib/testing/client";
import { onCluster } from "@/lib/testing/database/cluster";
import { ago, DAY, HOUR, MINUTE, setPool, soundApp } from "@/lib/testing/problems";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember } from "@/lib/testing/support";
import { makeReceiver } from "@/lib/testing/webhooks/webhooks";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8" });

/** The checks of a topic: state, title and the whole evidence. */
async function checksOf(ctx: Context, topic: CheckTopic) {
  const checks = (await checkIntegration(ctx)).filter((check) => check.topic === topic);
  return checks.map(({ state, title, evidence, problems }) => {
    return { state, title, text: [...problems.map((problem) => problem.title), ...evidence].join(" ") };
  });
}

async function storeEvent(ctx: Context, connectionId: string, at: Date, uids: string[], kind = "confirm") {
  const id = uuidv7();
  const time = at.getTime().toString(16).padStart(12, "0");
  await ctx.db.orm.insert(providerEvents).values({
    ...{ appId: ctx.app.id, id: `${time.slice(0, 8)}-${time.slice(8)}${id.slice(13)}`, connectionId },
    ...{ eventId: id, type: "BUY", uids, confirmation: { kind, renewal: false }, verdict: "unmatched" },
    ...{ payload: {}, createdAt: at },
  });
}

describe("keys", () => {
  test("show the endpoints that they call, the scopes that they lacked, and a revoked one that is still sent", async () => {
    const { ctx, key } = await soundApp();
    const phone = await insertKey(ctx, "Phone", ["referrer:read"]);
    const old = await insertKey(ctx, "Old", SCOPES);
    await revokeKey(asTeamMember(ctx), { keyId: old.id });
    expect((await clientOf(key).referrer("ann")).status).toBe(200);
    expect((await clientOf(phone.key).claim("ann")).status).toBe(403);
    expect((await clientOf(phone.key).referrer("unknown")).status).toBe(403);
    expect((await clientOf(old.key).referrer("ann")).status).toBe(401);
    await flushRequests();
    await flushUses(ctx.db);
    const keys = await checksOf(ctx, "keys");
    expect(keys).toEqual([
      {
        state: "warning",
        title: "Phone",
        text: expect.stringContaining("because it lacks referrer:write and reward:claim."),
      },
      { state: "good", title: "Test", text: expect.stringContaining("Requests in the log: /referrer 1.") },
      {
        state: "warning",
        title: "Old has been revoked and is still sent",
        text: expect.stringContaining("/referrer"),
      },
    ]);
    const other = await soundApp();
    expect(await checksOf(other.ctx, "keys")).toMatchObject([{ title: "Test", state: "idle" }]);
  });
});

describe("from code to purchase", () => {
  test("the confirmations of each provider and the anonymous ids are counted, in the app's own rows", async () => {
    const { tenant, api, metacode } = await referringTenant();
    const { ctx } = tenant;
    expect(await checksOf(ctx, "loop")).toMatchObject([
      { state: "idle" },
      { state: "idle" },
      { state: "idle" },
    ]);
    const { id } = await createConnection(ctx, { provider: "revenuecat" });
    for (const uid of ["ben", "cem", "dan", "$RCAnonymousID:eve"]) await api.redeem(uid, metacode);
    expect((await checksOf(ctx, "loop"))[0]).toMatchObject({
      state: "hint",
      text: expect.stringContaining("0 of 4"),
    });
    for (const uid of ["ben", "cem"]) {
      await receiveConfirmation(ctx, id, {
        eventId: uid,
        type: "BUY",
        uids: [uid],
        payload: {},
        occurredAt: null,
        purchaseId: null,
        links: [],
        confirmation: { kind: "confirm", paid: true, renewal: false, sandbox: false },
      });
    }
    await storeEvent(ctx, id, ago(MINUTE), ["$RCAnonymousID:eve"]);
    expect(await checksOf(ctx, "loop")).toMatchObject([
      {
        state: "hint",
        text: "1 confirmation without a referral 2 of 4 redemptions (50%). By RevenueCat 2.",
      },
      { state: "warning", text: expect.stringContaining("1 of 4 (25%) have no ID that your app chose") },
      { state: "warning", text: expect.stringContaining("1 of 3 (33%)") },
    ]);
    const other = await referringTenant();
    expect((await checksOf(other.tenant.ctx, "loop"))[0]?.state).toBe("idle");
  });
});

describe("providers", () => {
  test("a busy one is good with its rhythm, and refused deliveries keep their count and times", async () => {
    const { ctx } = await soundApp();
    expect(await checksOf(ctx, "providers")).toMatchObject([
      { state: "warning", title: "No provider is connected" },
    ]);
    const { id } = await createConnection(ctx, { provider: "revenuecat" });
    for (let n = 6; n > 0; n -= 1) await storeEvent(ctx, id, ago(n * HOUR), ["ann"], "ignore");
    expect(await checksOf(ctx, "providers")).toEqual([
      {
        state: "good",
        title: "RevenueCat",
        text: "Last event 1 hour ago: BUY. Usually an event every 60 minutes; it counts as silent after 3 days without one.",
      },
    ]);
    const refused = (hour: Date, deliveries: number, lastAt: Date) => {
      return { appId: ctx.app.id, connectionId: id, hour, deliveries, lastAt };
    };
    // The page lists 24 of these hours, but the sum covers all.
    const long = Array.from({ length: 30 }, (_, n) => new Date(Date.UTC(2026, 4, 1, n)));
    await ctx.db.orm
      .insert(connectionRefusals)
      .values([
        ...long.map((hour) => refused(hour, 1, hour)),
        refused(new Date("2026-06-01T10:00:00Z"), 3, new Date("2026-06-01T10:59:00Z")),
        refused(new Date("2026-06-01T11:00:00Z"), 4, new Date("2026-06-01T11:05:00Z")),
      ]);
    const { refusals } = await connectionHealth(ctx, id);
    expect([refusals.deliveries, refusals.since, refusals.hours.length]).toEqual([37, long[0], 24]);
    expect(await checksOf(ctx, "providers")).toMatchObject([
      {
        state: "hint",
        text: expect.stringContaining(
          "Refused 37 deliveries since 1 May 2026, 00:00 UTC, the last at 1 Jun 2026, 11:05 UTC. By hour: 4 from 1 Jun 2026, 11:00 UTC, 3 from 1 Jun 2026, 10:00 UTC, 1 from 2 May 2026, 05:00 UTC, and earlier ones.",
        ),
      },
    ]);
  });

  test("a silent one is a problem by its own rhythm, the same as in the overview", async () => {
    const { ctx } = await soundApp();
    const { id } = await createConnection(ctx, { provider: "revenuecat" });
    for (let n = 6; n > 0; n -= 1) await storeEvent(ctx, id, ago(4 * DAY + n * HOUR), ["ann"], "ignore");
    const [silent] = await checksOf(ctx, "providers");
    expect(silent).toMatchObject({
      state: "warning",
      text: expect.stringContaining("has sent no event since"),
    });
    await ctx.db.orm
      .update(providerConnections)
      .set({ enabled: false })
      .where(eq(providerConnections.id, id));
    expect(await checksOf(ctx, "providers")).toMatchObject([{ title: "Every connection is disabled" }]);
  });
});

test("webhooks show how long deliveries take, and which were given up", async () => {
  const { ctx } = await soundApp();
  expect(await checksOf(ctx, "webhooks")).toMatchObject([{ state: "idle", title: "No endpoint" }]);
  const { id: endpointId, url } = await makeReceiver(ctx);
  const createdAt = ago(MINUTE);
  const row = { appId: ctx.app.id, endpointId, eventType: "referral.confirmed", createdAt };
  const delivered = (lag: number) => ({
    ...{ ...row, id: uuidv7(), eventId: uuidv7(), status: "delivered" as const },
    deliveredAt: new Date(createdAt.getTime() + lag),
  });
  await ctx.db.orm.insert(webhookDeliveries).values([delivered(100), delivered(200), delivered(3_000)]);
  expect(await checksOf(ctx, "webhooks")).toEqual([
    {
      state: "good",
      title: new URL(url).host,
      text: "Accepted 3 of the last 3 deliveries: half of them within 200 ms, all within 3.0 s.",
    },
  ]);
  await ctx.db.orm
    .insert(webhookDeliveries)
    .values({ ...row, id: uuidv7(), eventId: uuidv7(), status: "dead" });
  expect(await checksOf(ctx, "webhooks")).toMatchObject([
    { state: "warning", text: expect.stringContaining("1 delivery was given up") },
  ]);
});

test("codes are counted by offer and store, and a low pool brings its problem", async () => {
  const { ctx, pools } = await soundApp();
  expect((await checksOf(ctx, "codes")).map(({ state, title }) => [state, title])).toEqual([
    ["good", "iOS codes for friends"],
    ["good", "Android codes for friends"],
    ...["ios referee", "ios reward", "android referee", "android reward"].map((name) => ["good", name]),
  ]);
  await setPool(ctx, pools.ios.referee, { lowStock: 60 });
  const low = (await checksOf(ctx, "codes")).find(({ title }) => title === "ios referee");
  expect(low).toMatchObject({ state: "warning", text: expect.stringContaining("has 60 codes left") });
  expect(low?.text).toContain("60 free codes: no named offer 60.");
  const startsAt = new Date(Date.now() + DAY);
  await ctx.db.orm.update(campaigns).set({ startsAt }).where(eq(campaigns.appId, ctx.app.id));
  expect(await checksOf(ctx, "campaigns")).toMatchObject([
    { state: "hint", text: expect.stringMatching(/^It will run on iOS and Android\. It starts on /) },
  ]);
  expect((await checksOf(ctx, "codes"))[0]?.state).toBe("hint");
});

test.skipIf(onCluster())(
  "every statement reads its newest rows along an index, without sorting (the plan of a single server)",
  async () => {
    const { ctx } = await soundApp();
    const since = ago(30 * DAY);
    const statements = {
      request_log_pkey: newestRequests(ctx.app.id),
      referrals_created: newestRedeems(ctx.app.id, since),
      provider_events_pkey: newestEvents(ctx.app.id, since),
      webhook_deliveries_endpoint: newestDeliveries(ctx.app.id, uuidv7()),
    };
    await ctx.db.transaction(async ({ orm }) => {
      for (const way of ["seqscan", "bitmapscan", "sort"]) await orm.execute(`set local enable_${way} = off`);
      for (const [index, statement] of Object.entries(statements)) {
        const { rows } = await orm.execute<{ "QUERY PLAN": string }>(sql`explain (costs off) ${statement}`);
        const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
        expect(plan, plan).toContain(index);
        expect(plan, plan).not.toMatch(/Sort|Seq Scan/);
        expect(plan, plan).toContain("Limit");
      }
    });
  },
);
