import { sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { SCOPES, type Scope } from "@/lib/contract/api-key";
import type { Platform } from "@/lib/contract/fields";
import { PLATFORMS } from "@/lib/contract/format";
import { type Db, database } from "@/lib/platform/db/client";
import { apps, batches, campaignPlatforms, campaigns, pools, workspaces } from "@/lib/platform/db/schema";
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
  const made = await makePlatforms(ctx, campaignId, options);
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

/** Both platforms of a campaign with a filled pool for each use, in one statement per table, because most tests need them. */
async function makePlatforms({ app, db }: Context, campaignId: string, options: TenantOptions) {
  const { codes: size = 10, offer = null, threshold = 3 } = options;
  const made = {
    ios: { referee: uuidv7(), reward: uuidv7() },
    android: { referee: uuidv7(), reward: uuidv7() },
  };
  const own = PLATFORMS.flatMap((platform) =>
    (["referee", "reward"] as const).map((use) => ({ platform, use, id: made[platform][use] })),
  );
  await db.orm
    .insert(pools)
    .values(
      own.map(({ id, platform, use }) => ({ appId: app.id, id, platform, use, name: `${platform} ${use}` })),
    );
  if (size > 0) {
    await fillPools(
      db,
      app.id,
      own.map(({ id, platform }) => ({ poolId: id, platform, size, offer })),
    );
  }
  await db.orm.insert(campaignPlatforms).values(
    PLATFORMS.map((platform) => ({
      appId: app.id,
      campaignId,
      platform,
      threshold,
      refereePoolId: made[platform].referee,
      rewardPoolId: made[platform].reward,
    })),
  );
  return made;
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

interface NewBatch extends BatchOptions {
  poolId: string;
  platform: Platform;
}

/** A batch of a pool with its codes, inserted directly. */
export async function makeBatch(ctx: Context, poolId: string, platform: Platform, options: BatchOptions) {
  const [batchId = ""] = await fillPools(ctx.db, ctx.app.id, [{ poolId, platform, ...options }]);
  return batchId;
}

async function fillPools(db: Db, appId: string, made: NewBatch[]): Promise<string[]> {
  const rows = made.map((batch) => ({ ...batch, id: uuidv7() }));
  await db.orm.insert(batches).values(
    rows.map(({ id, poolId, size, offer = null, kind = "one_time", expiresAt }) => ({
      appId,
      id,
      poolId,
      offer,
      kind,
      expiresAt,
      state: "ready" as const,
      size,
    })),
  );
  // The server generates the codes: as parameters of an insert they would cost more than the tests that read them.
  await db.orm.execute(sql`
    insert into codes (app_id, id, batch_id, platform, code, use_number, slot)
    select ${appId}::uuid, new_id(), b.id, b.platform,
           text || case when b.custom then '' else lpad((n - 1)::text, 6, '0') end, case when b.custom then n - 1 else 0 end,
           floor(random() * 2147483647)::int
      from jsonb_to_recordset(${JSON.stringify(
        rows.map(({ id, platform, size, kind }) => ({ id, platform, size, custom: kind === "custom" })),
      )}::jsonb) as b (id uuid, platform text, size int, custom boolean)
     cross join lateral (select 'C' || upper(right(replace(b.id::text, '-', ''), 16)) as text) named
     cross join lateral generate_series(1, b.size) n`);
  return rows.map(({ id }) => id);
}

/** Another key of the same app. */
export async function makeKey(tenant: Tenant, scopes: readonly Scope[]): Promise<string> {
  return (await insertKey(tenant.ctx, "Narrow", scopes)).key;
}
