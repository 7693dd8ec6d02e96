import { and, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { listAttention } from "@/lib/attention/list";
import { createConnection } from "@/lib/connections/create";
import type { Context } from "@/lib/context";
import type { Attention } from "@/lib/contract/overview";
import {
  apiKeys,
  campaignPlatforms,
  providerConnections,
  providerEvents,
  webhookDeliveries,
  webhookEndpoints,
} from "@/lib/db/schema";
import { stockOf } from "@/lib/stats/stock";
import { tell } from "@/lib/testing/confirm";
import { useService } from "@/lib/testing/service";
import { makeBatch, makePool, makeTenant, type Tenant } from "@/lib/testing/tenant";

useService();

const DAY = 86_400_000;
const ago = (ms: number) => new Date(Date.now() - ms);

async function found(ctx: Context): Promise<Attention[]> {
  return listAttention(ctx, await stockOf(ctx));
}

/** An app in which nothing is to be mended: 60 codes a pool, told of from 50 on. */
const sound = (): Promise<Tenant> => makeTenant({ codes: 60 });

test("an app in order needs nothing, whatever is wrong with another", async () => {
  const { ctx } = await sound();
  await makeTenant({ codes: 0 });
  expect(await found(ctx)).toEqual([]);
});

test("empty pools come first, then low ones; an unused new pool is no trouble", async () => {
  const { ctx, pools: made } = await makeTenant({ codes: 0 });
  await makeBatch(ctx, made.ios.reward, "ios", { size: 50 });
  await makeBatch(ctx, made.android.referee, "android", { size: 51 });
  await makePool(ctx, "ios", "referee", 0);
  const kinds = (await found(ctx)).map(({ kind, id }) => [kind, id]);
  expect(kinds).toEqual([
    ["pool_empty", made.ios.referee],
    ["pool_empty", made.android.reward],
    ["pool_low", made.ios.reward],
  ]);
});

test("a batch that ends soon with codes left over is told of, one that ends later is not", async () => {
  const { ctx, pools: made } = await sound();
  const soon = await makeBatch(ctx, made.ios.referee, "ios", {
    ...{ size: 7, offer: "Spring", expiresAt: new Date(Date.now() + 5 * DAY) },
  });
  await makeBatch(ctx, made.ios.referee, "ios", { size: 7, expiresAt: new Date(Date.now() + 60 * DAY) });
  expect(await found(ctx)).toMatchObject([{ kind: "batch_expiring", id: soon, name: "Spring", free: 7 }]);
});

test("an active campaign without a pool", async () => {
  const { ctx, campaignId } = await sound();
  await ctx.db.orm
    .update(campaignPlatforms)
    .set({ refereePoolId: null })
    .where(and(eq(campaignPlatforms.appId, ctx.app.id), eq(campaignPlatforms.platform, "ios")));
  expect(await found(ctx)).toEqual([
    { kind: "no_pool", id: campaignId, name: "Launch", platform: "ios", use: "referee" },
  ]);
});

/** What is said of a connection that was made two hours ago, by what is known of it. */
async function ofConnection(change: object, heard?: Date): Promise<string[]> {
  const { ctx } = await sound();
  const { id } = await createConnection(ctx, { provider: "revenuecat" });
  await ctx.db.orm
    .update(providerConnections)
    .set({ createdAt: ago(2 * 3_600_000), ...change })
    .where(eq(providerConnections.id, id));
  if (heard) {
    await ctx.db.orm.insert(providerEvents).values({
      ...{ appId: ctx.app.id, id: uuidv7(), connectionId: id, eventId: "e", type: "T", uids: [] },
      ...{ confirmation: {}, verdict: "ignored", payload: {}, createdAt: heard },
    });
  }
  return (await found(ctx)).map(({ kind }) => kind);
}

test("a provider that never told anything, or no longer does, or without the right proof", async () => {
  expect(await ofConnection({})).toEqual(["provider_never"]);
  expect(await ofConnection({ createdAt: ago(60_000) })).toEqual([]);
  expect(await ofConnection({ enabled: false })).toEqual([]);
  expect(await ofConnection({}, ago(2 * DAY))).toEqual([]);
  expect(await ofConnection({}, ago(4 * DAY))).toEqual(["provider_silent"]);
  expect(await ofConnection({ refusedAt: ago(DAY) }, ago(2 * DAY))).toEqual(["provider_refused"]);
  expect(await ofConnection({ refusedAt: ago(2 * DAY) }, ago(DAY))).toEqual([]);
});

test("confirmations of nobody are counted", async () => {
  const { ctx } = await sound();
  for (const uid of ["x", "y"]) await tell(ctx, uid);
  expect(await found(ctx)).toEqual([{ kind: "unmatched", id: "unmatched", count: 2, more: false }]);
});

test.each([
  [["delivered", "failed", "dead", "pending"], 2],
  [["failed", "delivered"], 0],
  [["pending"], 0],
] as const)("an endpoint with the deliveries %j", async (statuses, failed) => {
  const { ctx } = await sound();
  const id = uuidv7();
  await ctx.db.orm.insert(webhookEndpoints).values({
    ...{ appId: ctx.app.id, id, url: "https://hooks.example.com/x", events: [], secret: "s" },
  });
  for (const status of statuses) {
    await ctx.db.orm.insert(webhookDeliveries).values({
      ...{ appId: ctx.app.id, id: uuidv7(), endpointId: id, eventId: uuidv7(), eventType: "T", status },
    });
  }
  const expected = { kind: "webhook_failing", id, name: "hooks.example.com", failed };
  expect(await found(ctx)).toEqual(failed > 0 ? [expected] : []);
});

test("a key that was never used, a day after it was made", async () => {
  const { ctx } = await sound();
  await ctx.db.orm
    .update(apiKeys)
    .set({ createdAt: ago(2 * DAY) })
    .where(eq(apiKeys.appId, ctx.app.id));
  expect(await found(ctx)).toMatchObject([{ kind: "key_unused", name: "Test" }]);
});
