import { and, eq, gt, inArray, isNull, or, sql } from "drizzle-orm";
import { toView } from "@/lib/connections/connection";
import { listConnections } from "@/lib/connections/list";
import type { Context } from "@/lib/context";
import { type Checklist, START_STEPS, type StartStep } from "@/lib/contract/checklist";
import { apiKeys, batches, campaigns, pools, providerEvents, referrals } from "@/lib/db/schema";
import { originOf } from "@/lib/domains/link";
import { env } from "@/lib/env";
import { fail } from "@/lib/errors";

type Found = Record<Exclude<StartStep, "stores" | "provider">, boolean>;

/** One statement of looks along indexes that the app leads, each ended by the first row. */
async function lookFor(ctx: Context): Promise<Found> {
  const { orm } = ctx.db;
  const { id } = ctx.app;
  const one = { one: sql`1` };
  const codesFor = (use: "referee" | "reward") =>
    orm
      .select(one)
      .from(batches)
      .innerJoin(pools, and(eq(pools.appId, id), eq(pools.id, batches.poolId), eq(pools.use, use)))
      .where(and(eq(batches.appId, id), inArray(batches.state, ["ready", "drained"]), gt(batches.size, 0)));
  const working = and(
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`now()`)),
  );
  const active = and(eq(campaigns.appId, id), eq(campaigns.status, "active"));
  const { rows } = await orm.execute<Found>(sql`select
    exists ${codesFor("referee")} as referee_codes,
    exists ${codesFor("reward")} as reward_codes,
    exists ${orm.select(one).from(campaigns).where(active)} as campaign,
    exists ${orm
      .select(one)
      .from(apiKeys)
      .where(and(eq(apiKeys.appId, id), working))} as key,
    exists ${orm.select(one).from(providerEvents).where(eq(providerEvents.appId, id))} as provider_event,
    exists ${orm.select(one).from(referrals).where(eq(referrals.appId, id))} as referral`);
  return rows[0] ?? fail("INTERNAL_ERROR");
}

/** What is done of the way to the first referral, read from what is there. Nothing is remembered: undone is undone. */
export async function checklistOf(ctx: Context): Promise<Checklist> {
  const [connection] = (await listConnections(ctx)).filter(({ enabled }) => enabled).map(toView);
  const done = {
    ...(await lookFor(ctx)),
    stores: ctx.app.appleAppId !== null || ctx.app.androidPackage !== null,
    provider: connection !== undefined,
  };
  const count = START_STEPS.filter((step) => done[step]).length;
  return {
    ...{ done, count, complete: count === START_STEPS.length, sandbox: ctx.app.sandbox },
    ...{ baseUrl: `${env().APP_URL}/api`, landingUrl: originOf(ctx.app.landingDomain) },
    connection: connection ? { id: connection.id, label: connection.label, url: connection.url } : null,
  };
}
