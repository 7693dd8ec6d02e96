import { and, eq, gt, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { toView } from "@/lib/connections/connection";
import { listConnections } from "@/lib/connections/list";
import type { Context } from "@/lib/context";
import { type Checklist, START_STEPS, type StartStep } from "@/lib/contract/checklist";
import { apiKeys, batches, campaigns, pools, providerEvents, referrals } from "@/lib/db/schema";
import { env } from "@/lib/env";

type Table = Parameters<ReturnType<Context["db"]["orm"]["select"]>["from"]>[0];

/** Whether a table has a row: one look along an index that the app leads. */
async function has(ctx: Context, table: Table, where: SQL | undefined): Promise<boolean> {
  const rows = await ctx.db.orm.select({ one: sql`1` }).from(table).where(where).limit(1);
  return rows.length > 0;
}

function hasCodes(ctx: Context, use: "referee" | "reward"): Promise<boolean> {
  const poolIds = ctx.db.orm
    .select({ id: pools.id })
    .from(pools)
    .where(and(eq(pools.appId, ctx.app.id), eq(pools.use, use)));
  const ready = inArray(batches.state, ["ready", "drained"]);
  return has(
    ctx,
    batches,
    and(eq(batches.appId, ctx.app.id), ready, gt(batches.size, 0), inArray(batches.poolId, poolIds)),
  );
}

function steps(ctx: Context, connected: boolean): Record<StartStep, boolean | Promise<boolean>> {
  const { id, appleAppId, androidPackage } = ctx.app;
  const working = and(
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`now()`)),
  );
  return {
    stores: appleAppId !== null || androidPackage !== null,
    referee_codes: hasCodes(ctx, "referee"),
    reward_codes: hasCodes(ctx, "reward"),
    campaign: has(ctx, campaigns, and(eq(campaigns.appId, id), eq(campaigns.status, "active"))),
    key: has(ctx, apiKeys, and(eq(apiKeys.appId, id), working)),
    provider: connected,
    provider_event: has(ctx, providerEvents, eq(providerEvents.appId, id)),
    referral: has(ctx, referrals, eq(referrals.appId, id)),
  };
}

/** What is done of the way to the first referral, read from what is there. Nothing is remembered: undone is undone. */
export async function checklistOf(ctx: Context): Promise<Checklist> {
  const [connection] = (await listConnections(ctx)).filter(({ enabled }) => enabled).map(toView);
  const found = steps(ctx, connection !== undefined);
  const answers = await Promise.all(START_STEPS.map((step) => found[step]));
  const done = Object.fromEntries(START_STEPS.map((step, n) => [step, answers[n]])) as Checklist["done"];
  const count = answers.filter(Boolean).length;
  return {
    ...{ done, count, complete: count === START_STEPS.length, sandbox: ctx.app.sandbox },
    ...{ baseUrl: `${env().APP_URL}/api`, landingUrl: env().LANDING_URL },
    connection: connection ? { id: connection.id, label: connection.label, url: connection.url } : null,
  };
}
