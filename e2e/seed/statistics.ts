import { inDatabase } from "@/e2e/parts/database";
import { sample } from "@/e2e/sample";
import { isoDay } from "@/lib/contract/format";
import { dailyStats } from "@/lib/platform/db/schema";

const DAY = 86_400_000;
const DAYS = 60;

/** A rising wave: visible, and the same in every run. */
const wave = (day: number, height: number) =>
  Math.round(height * (0.55 + 0.45 * Math.sin(day / 3.3) ** 2) * (1 + day / DAYS));

/** Inserts two months of daily figures before today. */
export async function seedStatistics(): Promise<void> {
  const { app_id: appId, campaign_id: campaignId } = sample();
  const rows = Array.from({ length: DAYS }, (_, index) => ({
    appId,
    campaignId,
    platform: index % 2 ? ("ios" as const) : ("android" as const),
    day: isoDay(Date.now() - (DAYS - index) * DAY),
    clicked: wave(index, 90),
    assigned: wave(index, 34),
    confirmed: wave(index, 17),
    reversed: index % 9 ? 0 : 1,
    earned: wave(index, 5),
    claimed: wave(index, 4),
  }));
  await inDatabase((db) => db.orm.insert(dailyStats).values(rows).onConflictDoNothing());
}
