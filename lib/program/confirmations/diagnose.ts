import { and, asc, eq, inArray, isNull, or, sql } from "drizzle-orm";
import type { Diagnosis } from "@/lib/contract/provider";
import { apps, referrals } from "@/lib/platform/db/schema";
import type { InboxEvent } from "@/lib/program/confirmations/event";
import type { Context } from "@/lib/tenants/context";

/** The providers' own ids for people whom the app has not identified to them. */
export const ANONYMOUS = /^(\$RCAnonymousID:|\$SuperwallAlias:|QON_|a:[0-9a-f]{8}-)/;

/** Whether no id of an event was chosen by the app: the provider sent none, or only its own, which no link joins to another. */
export const isAnonymous = (
  { uids, confirmation }: Pick<InboxEvent, "uids" | "confirmation">,
  isLinked = false,
): boolean => (confirmation.unnamed === true && !isLinked) || uids.every((uid) => ANONYMOUS.test(uid));

/** The referrals of one person in one app. */
interface PersonReferrals {
  uid: string;
  app: { id: string; name: string };
  open: boolean;
  /** The confirmed ones, each with its purchase, and the time in milliseconds since which an event of a kind still changes it. */
  counted: { purchase: string | null; reverse: number | null; restore: number | null }[];
}

type Waiting = Omit<InboxEvent, "payload" | "headers">;

/** The reasons why these events have no referral, by event id. None for one that a member dismissed. */
export async function diagnoseEvents(ctx: Context, events: Waiting[]): Promise<Record<string, Diagnosis>> {
  const waiting = events.filter(({ verdict }) => ["unmatched", "sandbox"].includes(verdict));
  const linked = await linkedUids(ctx, waiting);
  const idsOf = ({ id, uids }: Waiting) => [...new Set([...uids, ...(linked.get(id) ?? [])])];
  const all = [...new Set(waiting.flatMap(idsOf))];
  const found = all.length > 0 ? await referralsOf(ctx, all) : [];
  const without = all.length > 0 ? await withoutCode(ctx, all) : new Set<string>();
  return Object.fromEntries(
    waiting.map((event) => {
      const own = idsOf(event);
      const named = found.filter(({ uid }) => own.includes(uid));
      const here = named.filter(({ app }) => app.id === ctx.app.id);
      const other = named.find(({ app, open }) => open && app.id !== ctx.app.id);
      const why = diagnosisOf(event, here, linked.has(event.id), other?.app);
      const uncoded = why.why === "never_redeemed" && own.some((uid) => without.has(uid));
      return [event.id, uncoded ? { why: "no_code" } : why];
    }),
  );
}

/** The ids that matching links to those of an event, by its id. A cluster calls the function in no statement over tables. */
async function linkedUids({ db, app }: Context, events: Waiting[]): Promise<Map<string, string[]>> {
  if (events.length === 0) return new Map();
  const ids = JSON.stringify(events.map(({ id, uids }) => ({ id, uids })));
  const { rows } = await db.orm.execute<{ id: string; linked: { uid: string }[] }>(sql`
    select e.id, linked_uids(${app.id}, e.uids) as linked
      from jsonb_to_recordset(${ids}::jsonb) e (id uuid, uids text[])`);
  return new Map(rows.flatMap(({ id, linked }) => (linked[0] ? [[id, linked.map(({ uid }) => uid)]] : [])));
}

/** Those of these ids whose redemption has no code: a member released it, or it waits in line. */
async function withoutCode({ db, app }: Context, uids: string[]): Promise<Set<string>> {
  const { rows } = await db.orm.execute<{ uid: string }>(sql`
    select referee_uid as uid from undone_steps
     where app_id = ${app.id} and referee_uid = any(${sql.param(uids)}::text[]) and step = 'code_assigned'
    union select referee_uid from referees_in_line
     where app_id = ${app.id} and referee_uid = any(${sql.param(uids)}::text[])`);
  return new Set(rows.map(({ uid }) => uid));
}

/** The time of the last change by the store, as may_change_referral reads it. */
const turned = sql`coalesce(extract(epoch from greatest(${referrals.turnedAt}, case when ${referrals.purchasedAt} > ${referrals.confirmedAt}
  then ${referrals.confirmedAt} - interval '1 day' else ${referrals.purchasedAt} end))::float8 * 1000, 0)`;

/** Other apps are searched only within the workspace, so that no tenant learns of another's users. */
function referralsOf({ db, app, workspace }: Context, uids: string[]): Promise<PersonReferrals[]> {
  return db.orm
    .select({
      uid: referrals.refereeUid,
      app: { id: apps.id, name: apps.name },
      open: sql<boolean>`bool_or(${referrals.status} = 'code_assigned')`,
      counted: sql<PersonReferrals["counted"]>`coalesce(jsonb_agg(jsonb_build_object(
        'purchase', ${referrals.confirmedPurchase},
        'reverse', case when ${referrals.reversedAt} is null then ${turned} when ${referrals.reversedBy} is null then 0 end,
        'restore', case when ${referrals.reversedAt} is not null then ${turned} end))
        filter (where ${referrals.status} = 'redeemed'), '[]')`,
    })
    .from(apps)
    .innerJoin(referrals, eq(referrals.appId, apps.id))
    .where(
      and(
        eq(apps.workspaceId, workspace.id),
        or(isNull(apps.deletedAt), eq(apps.id, app.id)),
        inArray(referrals.refereeUid, uids),
      ),
    )
    .groupBy(referrals.refereeUid, apps.id, apps.name)
    .orderBy(asc(apps.id));
}

/** Whether Stripe may have charged this payment for that subscription: other_purchase does not tell them apart either. */
const mayBePaymentOf = (payment: string, subscription: string) =>
  subscription.startsWith("sub_") && /^(pi|ch|py)_/.test(payment);

/** The first reason that applies is the one to fix first. */
function diagnosisOf(
  event: Waiting,
  own: PersonReferrals[],
  isLinked: boolean,
  otherApp?: PersonReferrals["app"],
): Diagnosis {
  const { uids, verdict, purchaseId } = event;
  const { kind } = event.confirmation;
  if (verdict === "sandbox") return { why: "sandbox" };
  const open = own.some((referrals) => referrals.open);
  const refund = kind === "reverse" || kind === "restore";
  const counted = own.flatMap((referrals) => referrals.counted);
  const paid = counted.filter(({ purchase }) => purchase && purchase === purchaseId);
  const other = counted.find(({ purchase }) => purchase)?.purchase;
  const at = (event.occurredAt ?? event.createdAt).getTime();
  const takes =
    refund && (paid.length > 0 ? paid : counted).some((referral) => (referral[kind] ?? Infinity) <= at);
  if (refund && purchaseId && other && paid.length === 0 && (takes || !mayBePaymentOf(purchaseId, other))) {
    return { why: "other_purchase", purchases: { event: purchaseId, referral: other } };
  }
  if (refund && counted.length > 0) return { why: takes ? "not_applied" : "nothing_to_turn" };
  if (refund && open) return { why: "before_purchase" };
  if (uids.length === 0) return { why: "no_id" };
  if (open) return { why: "redeemed_later" };
  if (otherApp) return { why: "other_app", app: otherApp };
  return { why: isAnonymous(event, isLinked) ? "anonymous" : "never_redeemed" };
}
