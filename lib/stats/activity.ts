import { and, desc, eq, inArray } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { platformField } from "@/lib/contract/fields";
import type { Happening } from "@/lib/contract/overview";
import { outbox, referrers } from "@/lib/db/schema";
import { displayName } from "@/lib/referrers/display-name";

/** Events that are looked at for the list, at most. */
const LOOKED_AT = 200;

const TOLD = new Set([
  "referrer.created",
  "referral.code_assigned",
  "referral.redeemed",
  "referral.reversed",
  "reward.earned",
  "reward.claimed",
  "pool.low",
  "pool.exhausted",
  "campaign.activated",
  "campaign.ended",
  "quota.warning",
]);

type Event = typeof outbox.$inferSelect;

const textOf = (value: unknown) => (typeof value === "string" ? value : null);
const numberOf = (value: unknown) => (typeof value === "number" ? value : null);

async function namesOf(ctx: Context, ids: string[]): Promise<Map<string, string>> {
  const rows = await ctx.db.orm
    .select({ id: referrers.id, uid: referrers.uid, metadata: referrers.metadata })
    .from(referrers)
    .where(and(eq(referrers.appId, ctx.app.id), inArray(referrers.id, ids)));
  return new Map(rows.map(({ id, uid, metadata }) => [id, displayName(metadata ?? {}) ?? uid]));
}

function toHappening({ id, type, createdAt, payload }: Event, names: Map<string, string>): Happening {
  const said = payload as Record<string, unknown>;
  const referrerId = textOf(said.referrer_id);
  return {
    id,
    type,
    at: createdAt,
    referrerId,
    referrer: (referrerId && names.get(referrerId)) ?? textOf(said.uid),
    referralId: textOf(said.referral_id),
    refereeUid: textOf(said.referee_uid),
    platform: platformField.safeParse(said.platform).data ?? null,
    rewardNumber: numberOf(said.reward_number),
    campaignId: textOf(said.campaign_id),
    poolId: textOf(said.pool_id),
    name: textOf(said.name),
    percent: numberOf(said.percent),
  };
}

/** The newest things that happened in an app, of the days that the outbox keeps, along its primary key. */
export async function newestActivity(ctx: Context, size: number): Promise<Happening[]> {
  const events = await ctx.db.orm
    .select()
    .from(outbox)
    .where(eq(outbox.appId, ctx.app.id))
    .orderBy(desc(outbox.id))
    .limit(LOOKED_AT);
  const told = events.filter(({ type }) => TOLD.has(type)).slice(0, size);
  const ids = told.map(({ payload }) => textOf((payload as Record<string, unknown>).referrer_id));
  const names = await namesOf(ctx, [...new Set(ids.filter((id) => id !== null))]);
  return told.map((event) => toHappening(event, names));
}
