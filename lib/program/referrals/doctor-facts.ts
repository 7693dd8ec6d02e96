import { and, arrayOverlaps, desc, eq, gte, or, sql } from "drizzle-orm";
import type { ReferralFinding } from "@/lib/contract/doctor";
import { HOUR_MS } from "@/lib/contract/format";
import { shownUid } from "@/lib/contract/influencer";
import type { EventView } from "@/lib/contract/provider";
import type { ReferralView } from "@/lib/contract/timeline";
import { providerEvents, referrals } from "@/lib/platform/db/schema";
import { listConnections, toConnectionView } from "@/lib/program/connections/connection";
import { aliasesOf } from "@/lib/program/end-users/find-by-trace";
import { type DoctorFacts, examineReferral } from "@/lib/program/referrals/doctor";
import type { Context } from "@/lib/tenants/context";

/**
 * The findings about a referral that no purchase has confirmed; none for other referrals. `offered` are the purchases that
 * may be linked with it.
 */
export async function diagnoseReferral(
  ctx: Context,
  referral: ReferralView,
  offered: readonly EventView[],
): Promise<ReferralFinding[]> {
  const { id, status, refereeUid, createdAt, code, trialAt, campaign } = referral;
  if (status !== "code_assigned" || !refereeUid) return [];
  if (!shownUid(refereeUid)) return [{ why: "erased" }];
  const aliases = await aliasesOf(ctx, refereeUid);
  const [named, counted, otherApp, connections] = await Promise.all([
    eventsNaming(ctx, id, [refereeUid, ...aliases], createdAt),
    countedIn(ctx, campaign?.id ?? null, aliases),
    otherAppOf(ctx, refereeUid, createdAt),
    connectionsOf(ctx, createdAt),
  ]);
  return examineReferral({
    referral: { id, campaignId: campaign?.id ?? null },
    now: new Date(),
    redeemedAt: createdAt,
    codeExpiresAt: code?.expiresAt ?? null,
    trialAt,
    named: [...named, ...counted],
    otherApp,
    connections,
    anonymous: offered.filter(({ anonymous }) => anonymous).length,
  });
}

const { appId, type, createdAt: receivedAt, verdict, referralId, confirmation, uids } = providerEvents;
const { campaignId } = referrals;
const isRefund = sql<boolean>`${confirmation} ->> 'kind' = 'reverse'`;

/** Maximum events that are read: those naming the person or a linked id, by the index over ids, and those linked by hand. */
const MAX_NAMED = 50;

async function eventsNaming(
  ctx: Context,
  ofReferral: string,
  known: string[],
  since: Date,
): Promise<DoctorFacts["named"]> {
  return ctx.db.orm
    .select({
      id: providerEvents.id,
      type,
      verdict,
      referralId,
      campaignId,
      refund: isRefund,
      at: receivedAt,
    })
    .from(providerEvents)
    .leftJoin(referrals, and(eq(referrals.appId, ctx.app.id), eq(referrals.id, referralId)))
    .where(
      and(
        eq(appId, ctx.app.id),
        or(arrayOverlaps(uids, known), eq(referralId, ofReferral)),
        or(
          sql`${confirmation} ->> 'kind' = 'confirm'`,
          and(or(eq(verdict, "ignored"), and(eq(verdict, "unmatched"), isRefund)), gte(receivedAt, since)),
        ),
      ),
    )
    .orderBy(desc(receivedAt))
    .limit(MAX_NAMED);
}

/** Referrals that count in the campaign under other ids, even by hand or by a deleted event: as events without a type. */
async function countedIn({ app, db }: Context, campaign: string | null, aliases: string[]) {
  if (!campaign || aliases.length === 0) return [];
  const { rows } = await db.orm.execute<{ id: string; at: number }>(sql`
    select id, extract(epoch from confirmed_at)::float8 * 1000 as at from referrals
     where app_id = ${app.id} and campaign_id = ${campaign} and referee_uid = any(${sql.param(aliases)}::text[])
       and status = 'redeemed' and reversed_at is null`);
  const event = { type: "", verdict: "confirmed" as const, campaignId: campaign };
  return rows.map(({ id, at }) => ({ ...event, id, referralId: id, at: new Date(at) }));
}

/**
 * Another app that received a purchase of the user an hour before the redemption or later, for no referral there. Only
 * the workspace's apps are searched, so that no tenant learns of another's users; a sandbox may have a real purchase.
 */
async function otherAppOf(ctx: Context, uid: string, since: Date): Promise<DoctorFacts["otherApp"]> {
  const { rows } = await ctx.db.orm.execute<{ id: string; name: string }>(sql`
    select a.id, a.name from apps a
     where a.workspace_id = ${ctx.workspace.id} and a.id <> ${ctx.app.id} and a.deleted_at is null
       and exists (
         select 1 from provider_events e
          where e.app_id = a.id and e.uids @> array[${uid}]::text[] and e.created_at >= ${new Date(since.getTime() - HOUR_MS)}
            and e.confirmation ->> 'kind' = 'confirm' and e.verdict not in ('confirmed', 'already_confirmed')
            and (a.sandbox = ${ctx.app.sandbox} or a.sandbox and e.confirmation ->> 'sandbox' = 'false'))
     order by a.id limit 1`);
  return rows[0] ?? null;
}

async function connectionsOf(ctx: Context, since: Date): Promise<DoctorFacts["connections"]> {
  const connections = await listConnections(ctx);
  const { rows } = await ctx.db.orm.execute<{ id: string; last: number | null; refused: number }>(sql`
    select c.id,
           (select extract(epoch from e.created_at)::float8 * 1000 from provider_events e
             where e.app_id = ${ctx.app.id} and e.connection_id = c.id order by e.id desc limit 1) as last,
           (select coalesce(sum(f.deliveries), 0)::int from connection_refusals f
             where f.app_id = ${ctx.app.id} and f.connection_id = c.id and f.last_at > ${since}) as refused
      from unnest(${sql.param(connections.map(({ id }) => id))}::uuid[]) c (id)`);
  const figures = new Map(rows.map((row) => [row.id, row]));
  return connections.map((connection) => {
    const { id, label, enabled, refusedAt } = toConnectionView(connection);
    const { last = null, refused = 0 } = figures.get(id) ?? {};
    return { id, label, enabled, refusedAt, refused, lastAt: last === null ? null : new Date(last) };
  });
}
