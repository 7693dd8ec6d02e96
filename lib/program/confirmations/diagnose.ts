import { and, asc, eq, inArray, isNull, or, sql } from "drizzle-orm";
import type { Diagnosis } from "@/lib/contract/provider";
import { apps, providerEvents, referrals } from "@/lib/platform/db/schema";
import type { InboxEvent } from "@/lib/program/confirmations/event";
import { mayTurnReferral } from "@/lib/program/confirmations/lost-sign";
import { ANONYMOUS } from "@/lib/program/confirmations/storable";
import type { Context } from "@/lib/tenants/context";

/** Whether the app chose none of an event's ids: the provider sent none, or only its own, which no link joins to another. */
export const isAnonymous = (
  { uids, confirmation }: Pick<InboxEvent, "uids" | "confirmation">,
  isLinked = false,
): boolean => (confirmation.unnamed === true && !isLinked) || uids.every((uid) => ANONYMOUS.test(uid));

/** The referrals of one person in one app. */
interface PersonReferrals {
  uid: string;
  app: { id: string; name: string };
  open: boolean;
  /** The purchases of the confirmed ones. */
  counted: (string | null)[];
}

type Waiting = Omit<InboxEvent, "payload" | "headers">;

/** A waiting event with its linked ids, whether its purchase arrived, and whether it may change a referral. */
type Traced = Waiting & { linked: { uid: string }[]; bought: boolean; mayTurn: boolean };

/** The reasons why these events have no referral, by event id. Dismissed events have none. */
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
      const isRefund = why.why === "before_purchase" && event.purchaseId;
      const isHeld =
        isRefund && (event.bought || lacks.some(({ held, purchase }) => held && mayBeSame(event, purchase)));
      return [event.id, isHeld ? { why: "held_back" } : why];
    }),
  );
}

/** Adds to each event what matching knows about it. A cluster accepts these functions in no statement over tables. */
async function traceEvents({ db, app }: Context, events: Waiting[]): Promise<Traced[]> {
  if (events.length === 0) return [];
  const all = JSON.stringify(events.map(({ id, uids, purchaseId }) => ({ id, uids, purchase: purchaseId })));
  const { rows } = await db.orm.execute<Pick<Traced, "id" | "linked" | "bought">>(sql`
    select e.id, linked_uids(${app.id}, e.uids) as linked, has_bought(${app.id}, e.purchase) as bought
      from jsonb_to_recordset(${all}::jsonb) e (id uuid, uids text[], purchase text)`);
  const found = new Map(rows.map((row) => [row.id, row]));
  const { appId, id } = providerEvents;
  const isTraced = inArray(id, [...found.keys()]);
  const turning = await db.orm
    .select({ id })
    .from(providerEvents)
    .where(and(eq(appId, app.id), isTraced, mayTurnReferral(app.id)));
  return events.map((event) => {
    const mayTurn = turning.some((row) => row.id === event.id);
    return { linked: [], bought: false, ...event, ...found.get(event.id), mayTurn };
  });
}

/** Redemptions of these ids without a code, released or in line, and those with a purchase that the campaign holds back. */
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

/** Other apps are searched only within the workspace, so that no tenant learns of another's users. */
function referralsOf({ db, app, workspace }: Context, uids: string[]): Promise<PersonReferrals[]> {
  return db.orm
    .select({
      uid: referrals.refereeUid,
      app: { id: apps.id, name: apps.name },
      open: sql<boolean>`bool_or(${referrals.status} = 'code_assigned')`,
      counted: sql<PersonReferrals["counted"]>`coalesce(
        jsonb_agg(${referrals.confirmedPurchase}) filter (where ${referrals.status} = 'redeemed'), '[]')`,
    })
    .from(apps)
    .innerJoin(referrals, and(eq(referrals.appId, apps.id), inArray(referrals.refereeUid, uids)))
    .where(and(eq(apps.workspaceId, workspace.id), or(isNull(apps.deletedAt), eq(apps.id, app.id))))
    .groupBy(referrals.refereeUid, apps.id, apps.name)
    .orderBy(asc(apps.id));
}

/** Whether a refund may be of this purchase, as in may_change_referral: Stripe's refunds name a subscription's payment. */
const mayBeSame = ({ purchaseId, bought }: Traced, purchase: string | null) =>
  !purchaseId ||
  !purchase ||
  purchaseId === purchase ||
  (!bought && /^(pi|ch|py)_/.test(purchaseId) && purchase.startsWith("sub_"));

/** The first reason that applies is the one to fix first. */
function diagnosisOf(event: Traced, own: PersonReferrals[], otherApp?: PersonReferrals["app"]): Diagnosis {
  const { uids, verdict, purchaseId } = event;
  const { kind } = event.confirmation;
  if (verdict === "sandbox") return { why: "sandbox" };
  const open = own.some((referrals) => referrals.open);
  const refund = kind === "reverse" || kind === "restore";
  const counted = own.flatMap((referrals) => referrals.counted);
  const other = counted.find((purchase) => purchase !== null);
  if (refund && purchaseId && other && !counted.includes(purchaseId) && !mayBeSame(event, other)) {
    return { why: "other_purchase", purchases: { event: purchaseId, referral: other } };
  }
  if (refund && counted.length === 0 && event.bought && event.mayTurn) return { why: "other_user" };
  if (refund && counted.length > 0) return { why: event.mayTurn ? "not_applied" : "nothing_to_turn" };
  if (refund && open) return { why: "before_purchase" };
  if (uids.length === 0) return { why: "no_id" };
  if (open) return { why: "redeemed_later" };
  if (otherApp) return { why: "other_app", app: otherApp };
  return { why: isAnonymous(event, event.linked.length > 0) ? "anonymous" : "never_redeemed" };
}
