import { sql } from "drizzle-orm";
import { DAY_MS, formatCount, formatNumber, formatPercent } from "@/lib/contract/format";
import { anonymousIds, purchaseIds } from "@/lib/outward/integration/check-ids";
import type { Fact } from "@/lib/outward/integration/fact";
import { providerEvents, referrals } from "@/lib/platform/db/schema";
import { SCAN_ROWS } from "@/lib/platform/db/walk";
import { fail } from "@/lib/platform/errors";
import { ANONYMOUS } from "@/lib/program/confirmations/storable";
import { listConnections, toConnectionView } from "@/lib/program/connections/connection";
import type { Context } from "@/lib/tenants/context";

/** The period that the check covers. */
const DAYS = 30;

/** Redemptions without any confirmation from which the check is a warning, not a hint. */
const ENOUGH = 20;

interface Redeems extends Record<string, unknown> {
  redeems: number;
  confirmed: number;
  anonymous: number;
}

/** The share of confirmed redemptions, by provider, and the share of ids that a provider generated. */
export async function checkLoop(ctx: Context): Promise<Fact[]> {
  const since = new Date(Date.now() - DAYS * DAY_MS);
  const redeems = await readRedeems(ctx, since);
  return [
    await ratio(ctx, since, redeems),
    {
      ...anonymousIds(redeems.anonymous, redeems.redeems),
      subject: "redeem ids",
      title: "User IDs of redemptions",
    },
    { ...(await purchaseIds(ctx, since)), subject: "purchase ids", title: "User IDs of purchases" },
  ];
}

/** The newest redemptions since a time, along referrals_created. */
export function newestRedeems(appId: string, since: Date) {
  return sql`
    select referee_uid, confirmed_at, confirmed_by from ${referrals}
     where app_id = ${appId} and created_at >= ${since} order by app_id desc, created_at desc, id desc limit ${SCAN_ROWS}`;
}

async function readRedeems({ db, app }: Context, since: Date): Promise<Redeems> {
  const { rows } = await db.orm.execute<Redeems>(sql`
    select count(*)::int as redeems, count(confirmed_at)::int as confirmed,
           count(*) filter (where referee_uid ~ ${ANONYMOUS.source})::int as anonymous
      from (${newestRedeems(app.id, since)}) newest`);
  return rows[0] ?? fail("INTERNAL_ERROR");
}

async function ratio(ctx: Context, since: Date, { redeems, confirmed }: Redeems): Promise<Fact> {
  const common = { topic: "loop", subject: "ratio", rows: ["pace", "unmatched"] } as const;
  const link = { path: "/referrals", action: "Open referrals" };
  const title = "Redemptions that were confirmed";
  if (redeems === 0) {
    return { ...common, ...link, title, state: "idle", evidence: ["No code was assigned in 30 days."] };
  }
  const share = formatPercent(confirmed, redeems);
  const evidence = [`${formatNumber(confirmed)} of ${formatCount(redeems, "redemption")} (${share}).`];
  if (confirmed > 0) {
    const sources = await confirmedBy(ctx, since);
    return { ...common, ...link, title, state: "good", evidence: [...evidence, `By ${sources.join(", ")}.`] };
  }
  return {
    ...common,
    title,
    state: redeems >= ENOUGH ? "warning" : "hint",
    evidence: [
      ...evidence,
      "Each referral’s page says why it waits. Usually the provider sends different user IDs.",
    ],
    path: "/referrals?status=code_assigned",
    action: "Open referrals",
  };
}

/** The confirmations of these redemptions by connection, each event along the primary key. */
async function confirmedBy(ctx: Context, since: Date): Promise<string[]> {
  const { rows } = await ctx.db.orm.execute<{ connection_id: string | null; confirmed: number }>(sql`
    select e.connection_id, count(*)::int as confirmed
      from (${newestRedeems(ctx.app.id, since)}) r
      left join ${providerEvents} e on e.app_id = ${ctx.app.id} and e.id = r.confirmed_by
     where r.confirmed_at is not null
     group by e.connection_id order by confirmed desc`);
  const labels = new Map((await listConnections(ctx)).map((row) => [row.id, toConnectionView(row).label]));
  const counts = new Map<string, number>();
  for (const { connection_id: id, confirmed } of rows) {
    const source = id === null ? "hand" : (labels.get(id) ?? "test or deleted connection");
    counts.set(source, (counts.get(source) ?? 0) + confirmed);
  }
  return [...counts].map(([source, count]) => `${source} ${formatNumber(count)}`);
}
