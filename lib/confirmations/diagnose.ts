import { and, eq, inArray, sql } from "drizzle-orm";
import type { InboxEvent } from "@/lib/confirmations/verdict";
import type { Context } from "@/lib/context";
import type { Diagnosis } from "@/lib/contract/provider";
import { providerEvents } from "@/lib/db/schema";

/** What providers call somebody whom the app has not named to them. */
const ANONYMOUS = /^(\$RCAnonymousID:|\$SuperwallAlias:|QON_)/;

/** What is known of the people whom an event names. */
interface Known {
  open: boolean;
  counted: boolean;
  elsewhere: { id: string; name: string } | null;
}

type Waiting = Pick<InboxEvent, "id" | "uids" | "verdict" | "confirmation">;

/** Why these events have no referral, by their ids; of a whole page in one query. */
export async function diagnoseEvents(ctx: Context, events: Waiting[]): Promise<Record<string, Diagnosis>> {
  const waiting = events.filter(({ verdict }) => ["unmatched", "dismissed", "sandbox"].includes(verdict));
  if (waiting.length === 0) return {};
  const known = await knownOf(
    ctx,
    waiting.map(({ id }) => id),
  );
  return Object.fromEntries(waiting.map((event) => [event.id, diagnosisOf(event, known.get(event.id))]));
}

/** Other apps are asked about only within the workspace: nobody learns of another tenant's people. */
async function knownOf(ctx: Context, ids: string[]): Promise<Map<string, Known>> {
  const own = sql`r.app_id = ${ctx.app.id} and r.referee_uid = any(${providerEvents.uids})`;
  const elsewhere = sql`select jsonb_build_object('id', a.id, 'name', a.name) from apps a
    where a.workspace_id = ${ctx.workspace.id} and a.id <> ${ctx.app.id} and a.deleted_at is null
      and exists (select 1 from referrals r where r.app_id = a.id and r.referee_uid = any(${providerEvents.uids}))
    order by a.id limit 1`;
  const rows = await ctx.db.orm
    .select({
      id: providerEvents.id,
      open: sql<boolean>`exists (select 1 from referrals r where ${own} and r.status = 'code_assigned')`,
      counted: sql<boolean>`exists (select 1 from referrals r where ${own} and r.status = 'redeemed')`,
      elsewhere: sql<Known["elsewhere"]>`(${elsewhere})`,
    })
    .from(providerEvents)
    .where(and(eq(providerEvents.appId, ctx.app.id), inArray(providerEvents.id, ids)));
  return new Map(rows.map(({ id, ...known }) => [id, known]));
}

/** The first that fits is the one to mend first. */
function diagnosisOf({ uids, verdict, confirmation }: Waiting, known?: Known): Diagnosis {
  const refund = confirmation.kind !== "confirm";
  if (verdict === "sandbox") return { why: "sandbox" };
  if (refund && known?.counted) return { why: "nothing_to_turn" };
  if (refund && known?.open) return { why: "before_purchase" };
  if (uids.length === 0) return { why: "no_id" };
  if (known?.open) return { why: "redeemed_later" };
  if (known?.elsewhere) return { why: "other_app", app: known.elsewhere };
  return { why: uids.every((uid) => ANONYMOUS.test(uid)) ? "anonymous" : "never_redeemed" };
}
