import { and, eq, inArray, sql } from "drizzle-orm";
import type { Diagnosis } from "@/lib/contract/provider";
import { providerEvents } from "@/lib/platform/db/schema";
import type { InboxEvent } from "@/lib/program/confirmations/event";
import type { Context } from "@/lib/tenants/context";

/** The providers' own ids for people whom the app has not identified to them. */
export const ANONYMOUS = /^(\$RCAnonymousID:|\$SuperwallAlias:|QON_)/;

/** Whether no id of an event was chosen by the app: the provider sent none, or only its own. */
export const isAnonymous = (uids: readonly string[]): boolean => uids.every((uid) => ANONYMOUS.test(uid));

/** The referrals of the people that an event names. */
interface EventReferrals {
  open: boolean;
  counted: boolean;
  otherApp: { id: string; name: string } | null;
}

type Waiting = Pick<InboxEvent, "id" | "uids" | "verdict" | "confirmation">;

/** The reasons why these events have no referral, by event id, in one query per page. */
export async function diagnoseEvents(ctx: Context, events: Waiting[]): Promise<Record<string, Diagnosis>> {
  const waiting = events.filter(({ verdict }) => ["unmatched", "dismissed", "sandbox"].includes(verdict));
  if (waiting.length === 0) return {};
  const ids = waiting.map(({ id }) => id);
  const referrals = await referralsOf(ctx, ids);
  return Object.fromEntries(waiting.map((event) => [event.id, diagnosisOf(event, referrals.get(event.id))]));
}

/** Other apps are searched only within the workspace, so that no tenant learns of another's users. */
async function referralsOf(ctx: Context, ids: string[]): Promise<Map<string, EventReferrals>> {
  const own = sql`r.app_id = ${ctx.app.id} and r.referee_uid = any(${providerEvents.uids})`;
  const otherApp = sql`select jsonb_build_object('id', a.id, 'name', a.name) from apps a
    where a.workspace_id = ${ctx.workspace.id} and a.id <> ${ctx.app.id} and a.deleted_at is null
      and exists (select 1 from referrals r where r.app_id = a.id and r.referee_uid = any(${providerEvents.uids}))
    order by a.id limit 1`;
  const rows = await ctx.db.orm
    .select({
      id: providerEvents.id,
      open: sql<boolean>`exists (select 1 from referrals r where ${own} and r.status = 'code_assigned')`,
      counted: sql<boolean>`exists (select 1 from referrals r where ${own} and r.status = 'redeemed')`,
      otherApp: sql<EventReferrals["otherApp"]>`(${otherApp})`,
    })
    .from(providerEvents)
    .where(and(eq(providerEvents.appId, ctx.app.id), inArray(providerEvents.id, ids)));
  return new Map(rows.map(({ id, ...referrals }) => [id, referrals]));
}

/** The first reason that applies is the one to fix first. */
function diagnosisOf({ uids, verdict, confirmation }: Waiting, referrals?: EventReferrals): Diagnosis {
  const refund = confirmation.kind !== "confirm";
  if (verdict === "sandbox") return { why: "sandbox" };
  if (refund && referrals?.counted) return { why: "nothing_to_turn" };
  if (refund && referrals?.open) return { why: "before_purchase" };
  if (uids.length === 0) return { why: "no_id" };
  if (referrals?.open) return { why: "redeemed_later" };
  if (referrals?.otherApp) return { why: "other_app", app: referrals.otherApp };
  return { why: isAnonymous(uids) ? "anonymous" : "never_redeemed" };
}
