import { and, eq, gt, inArray, isNull, or, sql } from "drizzle-orm";
import { type Checklist, START_STEPS, type StartStep } from "@/lib/contract/checklist";
import { apiKeys, batches, campaigns, pools, providerEvents, referrals } from "@/lib/platform/db/schema";
import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors";
import { listConnections, toConnectionView } from "@/lib/program/connections/connection";
import type { Context } from "@/lib/tenants/context";

type StepRows = Record<Exclude<StartStep, "stores" | "provider">, boolean>;

/** One statement of index look-ups by app, each of which stops at its first row. */
async function findRows(ctx: Context): Promise<StepRows> {
  const { orm } = ctx.db;
  const { id } = ctx.app;
  const any = { found: sql`1` };
  const codesFor = (use: "referee" | "reward") =>
    orm
      .select(any)
      .from(batches)
      .innerJoin(pools, and(eq(pools.appId, id), eq(pools.id, batches.poolId), eq(pools.use, use)))
      .where(and(eq(batches.appId, id), inArray(batches.state, ["ready", "drained"]), gt(batches.size, 0)));
  const working = and(
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`now()`)),
  );
  const active = and(eq(campaigns.appId, id), eq(campaigns.status, "active"));
  const { rows } = await orm.execute<StepRows>(sql`select
    exists ${codesFor("referee")} as referee_codes,
    exists ${codesFor("reward")} as reward_codes,
    exists ${orm.select(any).from(campaigns).where(active)} as campaign,
    exists ${orm
      .select(any)
      .from(apiKeys)
      .where(and(eq(apiKeys.appId, id), working))} as key,
    exists ${orm.select(any).from(providerEvents).where(eq(providerEvents.appId, id))} as provider_event,
    exists ${orm.select(any).from(referrals).where(eq(referrals.appId, id))} as referral`);
  return rows[0] ?? fail("INTERNAL_ERROR");
}

/** The completed steps to the first referral, read from the rows they leave: without its row a step is open again. */
export async function checklistOf(ctx: Context): Promise<Checklist> {
  const [connection] = (await listConnections(ctx)).filter(({ enabled }) => enabled).map(toConnectionView);
  const done = {
    ...(await findRows(ctx)),
    stores: ctx.app.appleAppId !== null || ctx.app.androidPackage !== null,
    provider: connection !== undefined,
  };
  const count = START_STEPS.filter((step) => done[step]).length;
  return {
    done,
    count,
    complete: count === START_STEPS.length,
    sandbox: ctx.app.sandbox,
    baseUrl: `${env().APP_URL}/api`,
    connection: connection ? { id: connection.id, label: connection.label, url: connection.url } : null,
  };
}
