import { sql } from "drizzle-orm";
import { formatNumber, formatPercent } from "@/lib/contract/format";
import type { CheckState } from "@/lib/contract/integration-check";
import { firstIdAt } from "@/lib/platform/db/index-ranges";
import { providerEvents } from "@/lib/platform/db/schema";
import { SCAN_ROWS } from "@/lib/platform/db/walk";
import { isUnnamed } from "@/lib/program/confirmations/lost-sign";
import type { Context } from "@/lib/tenants/context";

/** From one generated id in this many, the integration is at fault; a smaller share is a hint. */
const ONE_IN = 5;

/** The share of purchases without an id that the app chose. */
export async function purchaseIds(
  { db, app }: Context,
  since: Date,
): Promise<ReturnType<typeof anonymousIds>> {
  const { rows } = await db.orm.execute<{ purchases: number; anonymous: number }>(sql`
    select count(*)::int as purchases,
           count(*) filter (where ${isUnnamed(app.id)})::int as anonymous
      from (${newestEvents(app.id, since)}) provider_events
     where confirmation ->> 'kind' = 'confirm' and confirmation ->> 'renewal' is distinct from 'true'`);
  return anonymousIds(rows[0]?.anonymous ?? 0, rows[0]?.purchases ?? 0);
}

/** The newest events since a time, along the primary key. */
export function newestEvents(appId: string, since: Date) {
  return sql`
    select uids, confirmation from ${providerEvents}
     where app_id = ${appId} and id >= ${firstIdAt(since)} order by app_id desc, id desc limit ${SCAN_ROWS}`;
}

/** The share of ids that a provider generated. */
export function anonymousIds(anonymous: number, all: number) {
  const state: CheckState =
    all === 0 ? "idle" : anonymous === 0 ? "good" : anonymous * ONE_IN < all ? "hint" : "warning";
  const share = `${formatNumber(anonymous)} of ${formatNumber(all)} (${formatPercent(anonymous, all)})`;
  const evidence =
    all === 0
      ? ["None in 30 days."]
      : anonymous === 0
        ? [`All ${formatNumber(all)} have an ID that your app chose.`]
        : [
            `${share} have no ID that your app chose, so a purchase and a redemption of one user may not be matched. Give the provider’s SDK your own user ID before the user redeems or buys.`,
          ];
  return {
    topic: "loop",
    rows: [],
    state,
    evidence,
    path: "/providers/unmatched",
    action: "Open unmatched",
  } as const;
}
