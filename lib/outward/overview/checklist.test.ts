import { Readable } from "node:stream";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { SCOPES } from "@/lib/contract/api-key";
import { START_STEPS, type StartStep } from "@/lib/contract/checklist";
import { checklistOf } from "@/lib/outward/overview/checklist";
import { database } from "@/lib/platform/db/client";
import { createCampaign } from "@/lib/program/campaigns/create";
import { activateCampaign } from "@/lib/program/campaigns/lifecycle";
import { importCodes } from "@/lib/program/codes/import";
import { createConnection } from "@/lib/program/connections/create";
import { createPool } from "@/lib/program/pools/pools";
import { createKey } from "@/lib/tenants/api-keys/create";
import { appRef } from "@/lib/tenants/apps/app";
import { insertApp } from "@/lib/tenants/apps/create";
import type { Context } from "@/lib/tenants/context";
import { unmetered } from "@/lib/tenants/quota/meter";
import { insertWorkspace } from "@/lib/tenants/workspaces/create";
import { clientOf } from "@/lib/testing/client";
import { applyEvent } from "@/lib/testing/confirm";
import { useService } from "@/lib/testing/service";

useService();

async function freshApp(stores: object): Promise<Context> {
  const db = database();
  const workspace = await insertWorkspace(db, { name: "Test", plan: "pro" });
  const app = appRef(await insertApp(db, workspace.id, { name: "Test", ...stores }));
  return { app, workspace, actor: { kind: "system" }, db, requestId: uuidv7(), meter: unmetered };
}

/** Does each step as an owner would; `made` holds the results that later steps need. */
const DO: [StartStep, (ctx: Context, made: Record<string, string>) => Promise<unknown>][] = [
  ["referee_codes", (ctx, made) => upload(ctx, "referee", made)],
  ["reward_codes", (ctx, made) => upload(ctx, "reward", made)],
  [
    "campaign",
    async (ctx, { referee, reward }) => {
      const ios = { threshold: 1, refereePoolId: referee, rewardPoolId: reward };
      const { id } = await createCampaign(ctx, { type: "referral", name: "First", platforms: { ios } });
      await activateCampaign(ctx, id);
    },
  ],
  [
    "key",
    async (ctx, made) => {
      made.key = (await createKey(ctx, { name: "App", scopes: [...SCOPES] })).key;
    },
  ],
  ["provider", (ctx) => createConnection(ctx, { provider: "revenuecat" })],
  [
    "referral",
    async (_, { key = "" }) => {
      const api = clientOf(key);
      await api.redeem("bob", (await api.referrer("ann")).body.metacode);
    },
  ],
  ["provider_event", (ctx) => applyEvent(ctx, "bob")],
];

async function upload(ctx: Context, use: "referee" | "reward", made: Record<string, string>): Promise<void> {
  const { id } = await createPool(ctx, { platform: "ios", use, name: use });
  const source = Readable.from([Buffer.from(`${use.toUpperCase()}CODE1\n${use.toUpperCase()}CODE2\n`)]);
  await importCodes(ctx, { poolId: id, source, kind: "one_time" });
  made[use] = id;
}

const open = async (ctx: Context) => {
  const { done } = await checklistOf(ctx);
  return START_STEPS.filter((step) => !done[step]);
};

test("each step is ticked when it is done, and no other step is", async () => {
  const stores = { appleAppId: "1234567890" };
  const [ctx, other] = [await freshApp(stores), await freshApp({ androidPackage: "com.example.app" })];
  expect((await checklistOf(await freshApp({}))).count).toBe(0);
  const made: Record<string, string> = {};
  let left = await open(ctx);
  expect(left).toEqual(DO.map(([step]) => step));
  for (const [step, work] of DO) {
    await work(ctx, made);
    left = left.filter((name) => name !== step);
    expect(await open(ctx)).toEqual(left);
  }
  expect(await checklistOf(ctx)).toMatchObject({ complete: true, count: 8 });
  expect(await open(other)).toEqual(DO.map(([step]) => step));
});
