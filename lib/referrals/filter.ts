import { and, eq, gte, isNotNull, isNull, lt, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { PERIODS, type ReferralFilters } from "@/lib/contract/referral-list";
import { referrals } from "@/lib/db/schema";

const DAY = 86_400_000;

type Period = Pick<ReferralFilters, "period" | "from" | "to">;

/** The part of time that is wanted, by a column that an index is ordered by. */
export function during(column: PgColumn, { period, from, to }: Period, now = Date.now()): SQL | undefined {
  if (!period) return undefined;
  if (period !== "custom") return gte(column, new Date(now - PERIODS[period] * DAY));
  return and(
    from ? gte(column, new Date(from)) : undefined,
    to ? lt(column, new Date(Date.parse(to) + DAY)) : undefined,
  );
}

const { status, reversedAt } = referrals;

const STATUS: Record<string, SQL | undefined> = {
  code_assigned: eq(status, "code_assigned"),
  redeemed: and(eq(status, "redeemed"), isNull(reversedAt)),
  reversed: isNotNull(reversedAt),
};

/** What no index is ordered by; undefined where nothing of it is asked for. */
export function referralFilter({ status, platform, campaign }: ReferralFilters): SQL | undefined {
  return and(
    status && STATUS[status],
    platform && eq(referrals.platform, platform),
    campaign ? eq(referrals.campaignId, campaign) : undefined,
  );
}
