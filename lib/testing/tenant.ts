import { uuidv7 } from "uuidv7";
import { SCOPES, type Scope } from "@/lib/contract/api-key";
import type { Platform } from "@/lib/contract/fields";
import { type Db, database } from "@/lib/platform/db/client";
import {
  apps,
  batches,
  campaignPlatforms,
  campaigns,
  codes,
  pools,
  workspaces,
} from "@/lib/platform/db/schema";
import { insertKey } from "@/lib/tenants/api-keys/create";
import { appRef } from "@/lib/tenants/apps/app";
import type { Context } from "@/lib/tenants/context";
import { unmetered } from "@/lib/tenants/quota/meter";

export interface TenantOptions {
  plan?: "free" | "basic" | "pro" | "enterprise";
  quota?: number;
  sandbox?: boolean;
  threshold?: number;
  /** Codes in each of the four pools. */
  codes?: number;
  app?: Partial<typeof apps.$inferInsert>;
  campaign?: Partial<typeof campaigns.$inferInsert>;
  offer?: string | null;
}

export interface Tenant {
  ctx: Context;
  campaignId: string;
  /** A key with every scope. */
  key: string;
  pools: Record<Platform, { referee: string; reward: string }>;
}

/** A workspace with an app, an active referral campaign, four filled pools and a key, inserted directly. */
export async function makeTenant(options: TenantOptions = {}): Promise<Tenant> {
  const db = database();
  const workspaceId = uuidv7();
  const plan = options.plan ?? "pro";
  await db.orm
    .insert(workspaces)
    .values({ id: workspaceId, name: "Test", plan, quotaOverride: options.quota ?? null });
  const ctx = await makeApp(db, workspaceId, options);
  const campaignId = uuidv7();
  await db.orm.insert(campaigns).values({
    appId: ctx.app.id,
    id: campaignId,
    type: "referral",
    name: "Launch",
    status: "active",
    activatedAt: new Date(),
    ...options.campaign,
  });
  const made = {
    ios: await makePlatform(ctx, campaignId, "ios", options),
    android: await makePlatform(ctx, campaignId, "android", options),
  };
  const { key } = await insertKey(ctx, "Test", SCOPES);
  return { ctx, campaignId, key, pools: made };
}

async function makeApp(db: Db, workspaceId: string, options: TenantOptions): Promise<Context> {
  const [row] = await db.orm
    .insert(apps)
    .values({
      id: uuidv7(),
      workspaceId,
      name: "Fitness",
      sandbox: options.sandbox ?? false,
      appleAppId: "1234567890",
      androidPackage: "com.example.fitness",
      ...options.app,
    })
    .returning();
  if (!row) throw new Error("the app was not made");
  return {
    app: appRef(row),
    workspace: { id: workspaceId },
    actor: { kind: "system" },
    db,
    requestId: uuidv7(),
    meter: unmetered,
  };
}

async function makePlatform(ctx: Context, campaignId: string, platform: Platform, options: TenantOptions) {
  const referee = await makePool(ctx, platform, "referee", options.codes ?? 10, options.offer);
  const reward = await makePool(ctx, platform, "reward", options.codes ?? 10, options.offer);
  await ctx.db.orm.insert(campaignPlatforms).values({
    appId: ctx.app.id,
    campaignId,
    platform,
    threshold: options.threshold ?? 3,
    refereePoolId: referee,
    rewardPoolId: reward,
  });
  return { referee, reward };
}

/** A pool with one ready batch of `size` codes. */
export async function makePool(
  ctx: Context,
  platform: Platform,
  use: "referee" | "reward",
  size: number,
  offer?: string | null,
): Promise<string> {
  const id = uuidv7();
  await ctx.db.orm.insert(pools).values({ appId: ctx.app.id, id, platform, use, name: `${platform} ${use}` });
  if (size > 0) await makeBatch(ctx, id, platform, { size, offer: offer ?? null });
  return id;
}

interface BatchOptions {
  size: number;
  offer?: string | null;
  kind?: "one_time" | "custom";
  expiresAt?: Date;
}

/** A batch of a pool with its codes, inserted directly. */
export async function makeBatch(ctx: Context, poolId: string, platform: Platform, options: BatchOptions) {
  const batchId = uuidv7();
  const { size, offer = null, kind = "one_time", expiresAt } = options;
  await ctx.db.orm
    .insert(batches)
    .values({ appId: ctx.app.id, id: batchId, poolId, offer, kind, expiresAt, state: "ready", size });
  const text = `C${batchId.replaceAll("-", "").slice(-16).toUpperCase()}`;
  const rows = Array.from({ length: size }, (_, index) => ({
    appId: ctx.app.id,
    id: uuidv7(),
    batchId,
    platform,
    code: kind === "custom" ? text : `${text}${String(index).padStart(6, "0")}`,
    useNumber: kind === "custom" ? index : 0,
    slot: Math.floor(Math.random() * 2 ** 31),
  }));
  for (let from = 0; from < rows.length; from += 2_000) {
    await ctx.db.orm.insert(codes).values(rows.slice(from, from + 2_000));
  }
  return batchId;
}

/** Another key of the same app. */
export async function makeKey(tenant: Tenant, scopes: readonly Scope[]): Promise<string> {
  return (await insertKey(tenant.ctx, "Narrow", scopes)).key;
}
