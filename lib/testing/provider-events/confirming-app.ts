import { sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import type { Db } from "@/lib/platform/db/client";
import {
  apps,
  campaignPlatforms,
  campaigns,
  codes,
  referrals,
  referrers,
  rewards,
  workspaces,
} from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { appRef } from "@/lib/tenants/apps/app";
import type { Context } from "@/lib/tenants/context";
import { unmetered } from "@/lib/tenants/quota/meter";

type Campaign = typeof campaigns.$inferInsert;

interface Options extends Partial<Pick<Campaign, "type" | "confirmOn" | "confirmAnyRenewal" | "holdDays">> {
  sandbox?: boolean;
  threshold?: number;
  rewardCap?: number;
}

/** A separate app with a referrer, an active campaign and referrals with assigned codes. */
export interface ConfirmingApp {
  ctx: Context;
  referrerId: string;
  /** Assigns a code to each of these referees who does not have one. */
  assign(...uids: string[]): Promise<void>;
  /** The state of every referral by the referee's uid; `reversed` for a reversed referral. */
  states(): Promise<Record<string, string>>;
  /** Confirmed referrals without the reversed ones, and earned rewards. */
  counts(): Promise<{ confirmed: number; earned: number; rewards: number }>;
  /** The number of outbox events by type. */
  emitted(): Promise<Record<string, number>>;
  /** Status of the assigned codes by referee. */
  codes(): Promise<Record<string, string>>;
}

/** Creates the app in a separate workspace. */
export async function confirmingApp(db: Db, options: Options = {}): Promise<ConfirmingApp> {
  const { sandbox = false, threshold = 3, rewardCap, ...rules } = options;
  const workspaceId = uuidv7();
  await db.orm.insert(workspaces).values({ id: workspaceId, name: "Test", plan: "free" });
  const [app] = await db.orm
    .insert(apps)
    .values({ id: uuidv7(), workspaceId, name: "Test", sandbox })
    .returning();
  if (!app) return fail("INTERNAL_ERROR");
  const keys = { appId: app.id, campaignId: uuidv7(), referrerId: uuidv7() };
  await db.orm.insert(campaigns).values({
    type: "referral",
    name: "Test",
    status: "active",
    activatedAt: new Date(),
    ...rules,
    appId: app.id,
    id: keys.campaignId,
  });
  await db.orm
    .insert(campaignPlatforms)
    .values({ appId: app.id, campaignId: keys.campaignId, platform: "ios", threshold, rewardCap });
  const slug = keys.referrerId.replaceAll("-", "");
  await db.orm.insert(referrers).values({ appId: app.id, id: keys.referrerId, uid: "referrer", slug });
  const actor = { kind: "system" } as const;
  const ctx: Context = {
    app: appRef(app),
    workspace: { id: workspaceId },
    actor,
    db,
    requestId: uuidv7(),
    meter: unmetered,
  };
  return {
    ctx,
    referrerId: keys.referrerId,
    assign: (...uids) => assign(db, keys, uids),
    ...reader(db, app.id),
  };
}

async function assign(
  db: Db,
  keys: { appId: string; campaignId: string; referrerId: string },
  uids: string[],
): Promise<void> {
  const platform = "ios" as const;
  const rows = uids.map((refereeUid) => ({ ...keys, platform, id: uuidv7(), refereeUid }));
  await db.transaction(async ({ orm }) => {
    const assigned = await orm.insert(referrals).values(rows).onConflictDoNothing().returning();
    if (assigned.length === 0) return;
    await orm.insert(codes).values(
      assigned.map(({ id, refereeUid }) => ({
        appId: keys.appId,
        referrerId: keys.referrerId,
        platform,
        id,
        assignmentId: id,
        code: id,
        batchId: keys.campaignId,
        slot: 0,
        status: "assigned" as const,
        redeemedByUid: refereeUid,
      })),
    );
  });
}

function reader(db: Db, appId: string): Pick<ConfirmingApp, "states" | "counts" | "emitted" | "codes"> {
  const pairs = async (query: ReturnType<typeof sql>) => {
    const { rows } = await db.orm.execute<{ name: string; value: never }>(query);
    return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  };
  return {
    states: () =>
      pairs(sql`select referee_uid as name, case when reversed_at is null then status else 'reversed' end as value
        from ${referrals} where app_id = ${appId}`),
    codes: () =>
      pairs(sql`select redeemed_by_uid as name, status as value from ${codes}
        where app_id = ${appId} and assignment_id is not null`),
    emitted: () =>
      pairs(
        sql`select type as name, count(*)::int as value from outbox where app_id = ${appId} group by type`,
      ),
    async counts() {
      const { rows } = await db.orm.execute<{ confirmed: number; earned: number; rewards: number }>(
        sql`select coalesce(sum(confirmed), 0)::int as confirmed, coalesce(sum(earned), 0)::int as earned,
          (select count(*)::int from ${rewards} where app_id = ${appId}) as rewards
          from referrer_progress where app_id = ${appId}`,
      );
      return rows[0] ?? fail("INTERNAL_ERROR");
    },
  };
}
