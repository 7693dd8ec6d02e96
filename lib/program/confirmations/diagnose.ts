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

/** A waiting event with the ids linked to its own, and whether it names a Stripe payment under whose id no purchase has arrived. */
type Traced = Waiting & { linked: { uid: string }[]; isPayment: boolean };

/** The reasons why these events have no referral, by event id. None for one that a member dismissed. */
export async function diagnoseEvents(ctx: Context, events: Waiting[]): Promise<Record<string, Diagnosis>> {
  const waiting = events.filter(({ verdict }) => ["unmatched", "sandbox"].includes(verdict));
  const traced = await traceEvents(ctx, waiting);
  const idsOf = ({ uids, linked }: Traced) => [...new Set([...uids, ...linked.map(({ uid }) => uid)])];
  const all = [...new Set(traced.flatMap(idsOf))];
  const found = all.length > 0 ? await referralsOf(ctx, all) : [];
  const lacking = all.length > 0 ? await lacksOf(ctx, all) : [];
  return Object.fromEntries(
    traced.map((event) => {
      const own = idsOf(event);
      const named = found.filter(({ uid }) => own.includes(uid));
      const here = named.filter(({ app }) => app.id === ctx.app.id);
      const other = named.find(({ app, open }) => open && app.id !== ctx.app.id);
      const why = diagnosisOf(event, here, other?.app);
      const lacks = lacking.filter(({ uid }) => own.includes(uid));
      if (why.why === "never_redeemed" && lacks.some(({ held }) => !held))
        return [event.id, { why: "no_code" }];
      const isRefund =
        why.why === "before_purchase" && event.confirmation.kind === "reverse" && event.purchaseId;
      const isHeld = isRefund && lacks.some(({ held, purchase }) => held && mayBeSame(event, purchase));
      return [event.id, isHeld ? { why: "held_back" } : why];
    }),
  );
}

/** Adds to each event what matching knows of it. A cluster calls these functions in no statement over tables. */
async function traceEvents({ db, app }: Context, events: Waiting[]): Promise<Traced[]> {
  if (events.length === 0) return [];
  const ids = JSON.stringify(events.map(({ id, uids, purchaseId }) => ({ id, uids, purchase: purchaseId })));
  const { rows } = await db.orm.execute<Pick<Traced, "id" | "linked" | "isPayment">>(sql`
    select e.id, linked_uids(${app.id}, e.uids) as linked,
           e.purchase ~ '^(pi|ch|py)_' and not has_bought(${app.id}, e.purchase) as "isPayment"
      from jsonb_to_recordset(${ids}::jsonb) e (id uuid, uids text[], purchase text)`);
  const found = new Map(rows.map((row) => [row.id, row]));
  return events.map((event) => ({ linked: [], isPayment: false, ...event, ...found.get(event.id) }));
}

/** The redemptions of these ids without a code, released or in line, and those with a purchase that the campaign holds back. */
async function lacksOf({ db, app }: Context, uids: string[]) {
  const of = sql`app_id = ${app.id} and referee_uid = any(${sql.param(uids)}::text[])`;
  const { rows } = await db.orm.execute<{ uid: string; held: boolean; purchase: string | null }>(sql`
    select referee_uid as uid, false as held, null as purchase from undone_steps where ${of} and step = 'code_assigned'
    union select referee_uid, false, null from referees_in_line where ${of}
    union select f.referee_uid, true, e.purchase_id from referrals f
      join provider_events e on e.app_id = f.app_id and e.referral_id = f.id and e.verdict in ('not_paid', 'renewal')
     where f.app_id = ${app.id} and f.referee_uid = any(${sql.param(uids)}::text[]) and f.status = 'code_assigned'`);
  return rows;
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
    .innerJoin(referrals, and(eq(referrals.appId, apps.id), inArray(referrals.refereeUid, uids)))
    .where(and(eq(apps.workspaceId, workspace.id), or(isNull(apps.deletedAt), eq(apps.id, app.id))))
    .groupBy(referrals.refereeUid, apps.id, apps.name)
    .orderBy(asc(apps.id));
}

/** Whether a refund may be of this purchase, as may_change_referral tells: Stripe refunds the payment of a subscription by its own id. */
const mayBeSame = ({ purchaseId, isPayment }: Traced, purchase: string | null) =>
  !purchaseId || !purchase || purchaseId === purchase || (isPayment && purchase.startsWith("sub_"));

/** The first reason that applies is the one to fix first. */
function diagnosisOf(event: Traced, own: PersonReferrals[], otherApp?: PersonReferrals["app"]): Diagnosis {
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
  if (refund && purchaseId && other && paid.length === 0 && !mayBeSame(event, other)) {
    return { why: "other_purchase", purchases: { event: purchaseId, referral: other } };
  }
  if (refund && counted.length > 0) return { why: takes ? "not_applied" : "nothing_to_turn" };
  if (refund && open) return { why: "before_purchase" };
  if (uids.length === 0) return { why: "no_id" };
  if (open) return { why: "redeemed_later" };
  if (otherApp) return { why: "other_app", app: otherApp };
  return { why: isAnonymous(event, event.linked.length > 0) ? "anonymous" : "never_redeemed" };
}
