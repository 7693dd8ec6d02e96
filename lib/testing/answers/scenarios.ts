import { eq } from "drizzle-orm";
import { campaigns } from "@/lib/platform/db/schema";
import {
  commonScenarios,
  type Scenario,
  type Scenarios,
  withHiddenTables,
  withoutDatabase,
} from "@/lib/testing/answers/common";
import type { ExampleService } from "@/lib/testing/answers/world";
import { type ApiReply, clientOf } from "@/lib/testing/client";
import { stopClock } from "@/lib/testing/clock";
import { refer } from "@/lib/testing/confirm";
import { makeBatch, makeTenant } from "@/lib/testing/tenant";
import type { Operation } from "@/lib/web/openapi/operation";

const UNKNOWN_ID = "01900000-0000-7000-8000-000000000000";

/** A separate app whose user `ann` has a metacode; `referees` and `rewards` are the numbers of codes on iOS. */
async function ownApp(referees: number, rewards: number) {
  const tenant = await makeTenant({ threshold: 1, codes: 0 });
  const { referee, reward } = tenant.pools.ios;
  if (referees > 0) await makeBatch(tenant.ctx, referee, "ios", { size: referees });
  if (rewards > 0) await makeBatch(tenant.ctx, reward, "ios", { size: rewards });
  const api = clientOf(tenant.key);
  const { metacode } = (await api.referrer("ann")).body as { metacode: string };
  return { tenant, api, metacode };
}

/** Claims twice; `waiting` adds rewards that have no code. */
async function claimedBefore(waiting: number): Promise<ApiReply> {
  const { tenant, api, metacode } = await ownApp(3, 1);
  await refer(tenant, metacode, 1 + waiting);
  await api.claim("ann");
  return api.claim("ann");
}

const redeem = (world: ExampleService, referee_uid: string, metacode = world.metacode) =>
  world.send("redeemMetacode", { body: { referee_uid, metacode, platform: "ios" } });

async function pausedCampaign(): Promise<ApiReply> {
  const { tenant, api, metacode } = await ownApp(1, 0);
  const { ctx, campaignId } = tenant;
  await ctx.db.orm.update(campaigns).set({ status: "paused" }).where(eq(campaigns.id, campaignId));
  return api.redeem("bob", metacode);
}

async function unproven(world: ExampleService, from: string, times: number): Promise<ApiReply> {
  stopClock();
  const headers = { "webhook-signature": "v1,AAAA", "x-forwarded-for": from };
  for (let tried = 1; tried < times; tried += 1) await world.send("receiveConfirmation", { headers });
  return world.send("receiveConfirmation", { headers });
}

async function emptyPool(): Promise<ApiReply> {
  const { api, metacode } = await ownApp(0, 0);
  return api.redeem("bob", metacode);
}

/** The same `Idempotency-Key` for two requests. */
const reused: Scenario = async (world) => {
  const headers = { "idempotency-key": "once" };
  await world.send("claimRewards", { headers, body: { uid: "user-42" } });
  return world.send("claimRewards", { headers, body: { uid: "ann" } });
};

/** The test's limit of failed proofs per minute and address. */
export const ADDRESS_LIMIT = 5;

const unknownIds = { ids: { id: UNKNOWN_ID, connectionId: UNKNOWN_ID } };

const OWN: Record<string, Scenarios> = {
  claimRewards: [
    ["NOT_FOUND", (world) => world.send("claimRewards", { body: { uid: "unknown" } })],
    ["NO_REWARDS_AVAILABLE", () => claimedBefore(0)],
    ["NO_CODES_AVAILABLE", () => claimedBefore(1)],
    ["CONFLICT", reused],
  ],
  redeemMetacode: [
    ["METACODE_NOT_FOUND", (world) => redeem(world, "bob", "zzzzzzzz")],
    ["ALREADY_REDEEMED", (world) => redeem(world, "twice").then(() => redeem(world, "twice"))],
    ["CAMPAIGN_INACTIVE", pausedCampaign],
    ["CONFLICT", (world) => redeem(world, "user-42")],
    ["NO_CODES_AVAILABLE", emptyPool],
    // The example's metacode does not reach the database.
    ["INTERNAL_ERROR", (world) => withHiddenTables(() => redeem(world, "bob"))],
    ["SERVICE_UNAVAILABLE", (world) => withoutDatabase(() => redeem(world, "bob"))],
  ],
  getWebhook: [["NOT_FOUND", (world) => world.send("getWebhook", unknownIds)]],
  listDeliveries: [
    ["NOT_FOUND", (world) => world.send("listDeliveries", unknownIds)],
    ["VALIDATION_ERROR", (world) => world.send("listDeliveries", { query: "?limit=0" })],
  ],
  receiveConfirmation: [
    ["VALIDATION_ERROR", (world) => world.send("receiveConfirmation", { body: "[]" })],
    ["UNAUTHORIZED", (world) => unproven(world, "192.0.2.1", 1)],
    ["RATE_LIMITED", (world) => unproven(world, "192.0.2.2", ADDRESS_LIMIT + 1)],
    ["NOT_FOUND", (world) => world.send("receiveConfirmation", unknownIds)],
  ],
};

/** The scenario of each response of an operation. */
export function scenariosOf(operation: Operation): Map<string, Scenario> {
  return new Map([...commonScenarios(operation), ...(OWN[operation.id] ?? [])]);
}
