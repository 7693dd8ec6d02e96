import { eq } from "drizzle-orm";
import { campaigns } from "@/lib/db/schema";
import type { Operation } from "@/lib/openapi/operation";
import {
  commonScenarios,
  type Scenario,
  type Scenarios,
  withHiddenTables,
  withoutDatabase,
} from "@/lib/testing/answers/common";
import type { World } from "@/lib/testing/answers/world";
import { clientOf, type Reply } from "@/lib/testing/client";
import { refer } from "@/lib/testing/confirm";
import { makeBatch, makeTenant } from "@/lib/testing/tenant";

const NOBODY = "01900000-0000-7000-8000-000000000000";

/** An app of its own whose Ann refers people; `referees` and `rewards` are the codes there are on iOS. */
async function ownApp(referees: number, rewards: number) {
  const tenant = await makeTenant({ threshold: 1, codes: 0 });
  const { referee, reward } = tenant.pools.ios;
  if (referees > 0) await makeBatch(tenant.ctx, referee, "ios", { size: referees });
  if (rewards > 0) await makeBatch(tenant.ctx, reward, "ios", { size: rewards });
  const api = clientOf(tenant.key);
  const { metacode } = (await api.referrer("ann")).body as { metacode: string };
  return { tenant, api, metacode };
}

/** One claimed, and the claim again; with `waiting` a second reward has no code. */
async function claimedBefore(waiting: number): Promise<Reply> {
  const { tenant, api, metacode } = await ownApp(3, 1);
  await refer(tenant, metacode, 1 + waiting);
  await api.claim("ann");
  return api.claim("ann");
}

const redeem = (world: World, referee_uid: string, metacode = world.metacode) =>
  world.send("redeemMetacode", { body: { referee_uid, metacode, platform: "ios" } });

async function pausedCampaign(): Promise<Reply> {
  const { tenant, api, metacode } = await ownApp(1, 0);
  const { ctx, campaignId } = tenant;
  await ctx.db.orm.update(campaigns).set({ status: "paused" }).where(eq(campaigns.id, campaignId));
  return api.redeem("bob", metacode);
}

async function unproven(world: World, from: string, times: number): Promise<Reply> {
  const headers = { "webhook-signature": "v1,AAAA", "x-forwarded-for": from };
  for (let tried = 1; tried < times; tried += 1) await world.send("receiveConfirmation", { headers });
  return world.send("receiveConfirmation", { headers });
}

async function emptyPool(): Promise<Reply> {
  const { api, metacode } = await ownApp(0, 0);
  return api.redeem("bob", metacode);
}

/** The same `Idempotency-Key` for two requests. */
const reused: Scenario = async (world) => {
  const headers = { "idempotency-key": "once" };
  await world.send("claimRewards", { headers, body: { uid: "user-42" } });
  return world.send("claimRewards", { headers, body: { uid: "ann" } });
};

/** Failed proofs that an address may send in a minute, as the test sets it. */
export const ADDRESS_LIMIT = 5;

const elsewhere = { ids: { id: NOBODY, connectionId: NOBODY } };

const OWN: Record<string, Scenarios> = {
  claimRewards: [
    ["NOT_FOUND", (world) => world.send("claimRewards", { body: { uid: "nobody" } })],
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
    // The metacode of the example asks nothing of the database.
    ["INTERNAL_ERROR", (world) => withHiddenTables(() => redeem(world, "bob"))],
    ["SERVICE_UNAVAILABLE", (world) => withoutDatabase(() => redeem(world, "bob"))],
  ],
  getWebhook: [["NOT_FOUND", (world) => world.send("getWebhook", elsewhere)]],
  listDeliveries: [
    ["NOT_FOUND", (world) => world.send("listDeliveries", elsewhere)],
    ["VALIDATION_ERROR", (world) => world.send("listDeliveries", { query: "?limit=0" })],
  ],
  receiveConfirmation: [
    ["VALIDATION_ERROR", (world) => world.send("receiveConfirmation", { body: "[]" })],
    ["UNAUTHORIZED", (world) => unproven(world, "192.0.2.1", 1)],
    ["RATE_LIMITED", (world) => unproven(world, "192.0.2.2", ADDRESS_LIMIT + 1)],
    ["NOT_FOUND", (world) => world.send("receiveConfirmation", elsewhere)],
  ],
};

/** How an operation comes to each of its answers. */
export function scenariosOf(operation: Operation): Map<string, Scenario> {
  return new Map([...commonScenarios(operation), ...(OWN[operation.id] ?? [])]);
}
