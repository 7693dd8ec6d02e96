import { eq, type SQL, sql } from "drizzle-orm";
import { isoDay } from "@/lib/contract/format";
import type { Db } from "@/lib/platform/db/client";
import { apps, auditLog, memberships, workspaces } from "@/lib/platform/db/schema";
import { env } from "@/lib/platform/env";
import { createCampaign } from "@/lib/program/campaigns/create";
import { activateCampaign } from "@/lib/program/campaigns/lifecycle";
import { createSamplePools, type SamplePools } from "@/lib/program/codes/sample-codes";
import { simulateConfirmation } from "@/lib/program/confirmations/simulate";
import { redeemMetacode } from "@/lib/program/referrals/redeem";
import { getOrCreateReferrer } from "@/lib/program/referrers/get-or-create";
import { deleteAppRows } from "@/lib/program/retention/purge-apps";
import { claimRewards } from "@/lib/program/rewards/claim";
import { rollUp } from "@/lib/program/stats/roll-up";
import { DEMO_USER_ID } from "@/lib/tenants/accounts/session";
import { systemContext } from "@/lib/tenants/apps/app";
import { insertApp } from "@/lib/tenants/apps/create";
import type { Context } from "@/lib/tenants/context";
import { insertWorkspace } from "@/lib/tenants/workspaces/create";
import { addMember } from "@/lib/tenants/workspaces/members";

// The same every night, so that a visitor's page keeps its address when the workspace is rebuilt.
export const DEMO_WORKSPACE_ID = "0190de30-0000-7000-8000-000000000002";
export const DEMO_APP_ID = "0190de30-0000-7000-8000-000000000003";

const THRESHOLD = 3;
const CODES = 200;
const DAYS = 60;

/** Referrers with their friends, most of whom subscribe. */
const REFERRERS: readonly [name: string, friends: number][] = [
  ["Anna Berg", 16],
  ["Ben Okafor", 13],
  ["Chiara Rossi", 11],
  ["Deniz Yılmaz", 9],
  ["Emma Dubois", 8],
  ["Farid Haddad", 6],
  ["Grace Kim", 5],
  ["Hugo Silva", 5],
  ["Ines Novák", 4],
  ["Jonas Lind", 3],
  ["Kaori Tanaka", 2],
  ["Liam Murphy", 1],
];

/** Creates a campaign of friends and rewards on both stores, and starts it. */
export async function startSampleCampaign(
  ctx: Context,
  pools: SamplePools,
  threshold: number,
): Promise<string> {
  const { id } = await createCampaign(ctx, {
    type: "referral",
    name: "Invite friends",
    platforms: {
      ios: { threshold, refereePoolId: pools.referee_ios, rewardPoolId: pools.reward_ios },
      android: { threshold, refereePoolId: pools.referee_android, rewardPoolId: pools.reward_android },
    },
  });
  await activateCampaign(ctx, id);
  return id;
}

/**
 * Builds the demo's workspace once a day (UTC) if the operator has opened the demo, and deletes it otherwise.
 * Replaces it in one transaction, so visitors read the former rows until the new ones are complete.
 */
export async function renewDemo(db: Db): Promise<void> {
  const open = env().PUBLIC_DEMO === "on";
  const [built] = await db.orm
    .select({ at: workspaces.createdAt })
    .from(workspaces)
    .where(eq(workspaces.id, DEMO_WORKSPACE_ID));
  if (open ? built && isoDay(built.at) === isoDay(Date.now()) : !built) return;
  await db.transaction(async (tx) => {
    await deleteDemo(tx);
    if (open) await buildDemo(tx);
  });
}

/** Deletes every row of the demo except its rounds, because one of them may be running. */
async function deleteDemo(db: Db): Promise<void> {
  await deleteAppRows(db, DEMO_APP_ID, ["rounds"]);
  await db.orm.delete(apps).where(eq(apps.id, DEMO_APP_ID));
  for (const table of [memberships, auditLog]) {
    await db.orm.delete(table).where(eq(table.workspaceId, DEMO_WORKSPACE_ID));
  }
  await db.orm.delete(workspaces).where(eq(workspaces.id, DEMO_WORKSPACE_ID));
}

/** Builds the workspace with the verbs of API and dashboard. It has no API key, no connection and no account. */
async function buildDemo(db: Db): Promise<void> {
  const { id: workspaceId } = await insertWorkspace(db, { id: DEMO_WORKSPACE_ID, name: "Demo", plan: "pro" });
  const store = { appleAppId: "1234567890", androidPackage: "com.example.app" };
  const app = await insertApp(db, workspaceId, { name: "Fitness", sandbox: true, ...store }, DEMO_APP_ID);
  const ctx = systemContext(db, app);
  await startSampleCampaign(ctx, await createSamplePools(ctx, CODES), THRESHOLD);
  await referFriends(ctx);
  await spreadOverTime(ctx);
  await rollUp(db, app.id, 0);
  await addMember(db, { workspaceId, userId: DEMO_USER_ID, role: "viewer" });
}

/** The friends of all referrers, in turn; every ninth does not buy, and one purchase in 25 is refunded. */
async function referFriends(ctx: Context): Promise<void> {
  const uidOf = (name: string) => name.split(" ", 1)[0]?.toLowerCase() ?? name;
  const referrers = [];
  for (const [name, friends] of REFERRERS) {
    const { metacode } = await getOrCreateReferrer(ctx, { uid: uidOf(name), metadata: { name } });
    referrers.push({ uid: uidOf(name), metacode, friends });
  }
  const most = Math.max(...referrers.map(({ friends }) => friends));
  let number = 0;
  for (let turn = 1; turn <= most; turn++) {
    for (const { uid, metacode } of referrers.filter(({ friends }) => friends >= turn)) {
      number += 1;
      const refereeUid = `${uid}-friend-${turn}`;
      const platform = turn % 3 === 0 ? "android" : "ios";
      await redeemMetacode(ctx, { metacode, refereeUid, platform, clickId: undefined });
      if (number % 9 !== 0) await simulateConfirmation(ctx, { refereeUid, kind: "confirm" });
      if (number % 25 === 0) await simulateConfirmation(ctx, { refereeUid, kind: "reverse" });
    }
  }
  // The other referrers have rewards to claim.
  for (const { uid } of referrers.slice(0, 4)) await claimRewards(ctx, { uid });
}

/** A time less an interval. Without UTC it would depend on the session's time zone, which a cluster refuses. */
const earlier = (time: SQL, interval: SQL) =>
  sql`(${time} at time zone 'UTC' - (${interval})) at time zone 'UTC'`;

/** Spreads the new rows over the last weeks, in their order, and adds earlier visits of landing pages. */
async function spreadOverTime({ db, app: { id: appId } }: Context): Promise<void> {
  const statements = [
    sql`with aged as (
          select id, row_number() over (order by id) as n, count(*) over () as total from referrals where app_id = ${appId})
        update referrals r set
          created_at = ${earlier(sql`r.created_at`, sql`age`)},
          confirmed_at = ${earlier(sql`r.confirmed_at`, sql`age - interval '20 minutes'`)},
          reversed_at = ${earlier(sql`r.reversed_at`, sql`age - interval '30 minutes'`)}
          from aged, make_interval(hours => ${DAYS * 24}::int) span,
               lateral (select interval '1 hour' + span * (1 - sqrt(aged.n::float8 / aged.total)) as age) shift
         where r.app_id = ${appId} and r.id = aged.id`,
    sql`update rewards w set created_at = c.confirmed_at,
               claimed_at = case when w.claimed_at is not null then ${earlier(sql`c.confirmed_at`, sql`interval '-10 minutes'`)} end
          from (select referrer_id, platform, confirmed_at,
                       row_number() over (partition by referrer_id, platform order by confirmed_at) as n
                  from referrals where app_id = ${appId} and confirmed_at is not null) c
         where w.app_id = ${appId} and w.referrer_id = c.referrer_id and w.platform = c.platform
           and c.n = w.reward_number * ${THRESHOLD}::int`,
    sql`update codes c set assigned_at = coalesce(r.created_at, w.claimed_at)
          from codes taken
          left join referrals r on r.app_id = taken.app_id and r.id = taken.assignment_id
          left join rewards w on w.app_id = taken.app_id and w.id = taken.assignment_id
         where taken.app_id = ${appId} and taken.assignment_id is not null
           and c.app_id = taken.app_id and c.id = taken.id`,
    sql`update referrers f set created_at = ${earlier(sql`r.first`, sql`interval '1 day'`)}
          from (select referrer_id, min(created_at) as first from referrals where app_id = ${appId} group by 1) r
         where f.app_id = ${appId} and f.id = r.referrer_id`,
    sql`update provider_events e set created_at = coalesce(r.reversed_at, r.confirmed_at),
               occurred_at = coalesce(r.reversed_at, r.confirmed_at), judged_at = coalesce(r.reversed_at, r.confirmed_at)
          from (select confirmed_by as id, confirmed_at, null::timestamptz as reversed_at from referrals
                 where app_id = ${appId} and confirmed_by is not null
                 union all
                select reversed_by, confirmed_at, reversed_at from referrals
                 where app_id = ${appId} and reversed_by is not null) r
         where e.app_id = ${appId} and e.id = r.id`,
    // Visitors should see purchases, not simulations.
    sql`delete from audit_log where app_id = ${appId} and action = 'confirmation.simulated'`,
    sql`update audit_log set created_at = now() - make_interval(days => ${DAYS + 2}::int)
         where app_id = ${appId}`,
    sql`update pools set created_at = now() - make_interval(days => ${DAYS + 2}::int)
         where app_id = ${appId}`,
    sql`update batches set created_at = now() - make_interval(days => ${DAYS + 2}::int)
         where app_id = ${appId}`,
    sql`update campaigns set created_at = now() - make_interval(days => ${DAYS + 2}::int),
               activated_at = now() - make_interval(days => ${DAYS + 1}::int)
         where app_id = ${appId}`,
    sql`insert into clicks (app_id, id, referrer_id, visitor, created_at)
        select app_id, gen_random_uuid(), referrer_id, decode(md5(id::text || n), 'hex'),
               created_at - n * interval '40 minutes'
          from referrals cross join generate_series(1, 2) n where app_id = ${appId}`,
  ];
  for (const statement of statements) await db.orm.execute(statement);
}
