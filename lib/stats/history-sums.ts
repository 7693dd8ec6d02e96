import type { batchCounts, dailyStats } from "@/lib/db/schema";

/** Rows of a page that add alike: `what` says to which number of a day, and of a batch. */
export interface HistoryGroup extends Record<string, unknown> {
  what: "clicked" | "assigned" | "confirmed" | "reversed" | "earned" | "claimed" | "replaced";
  day: string;
  campaign: string;
  platform: "ios" | "android" | "any";
  batch: string | null;
  rows: number;
}

type DayRow = Required<typeof dailyStats.$inferInsert>;
type BatchRow = Required<typeof batchCounts.$inferInsert>;

const NO_DAY = { clicked: 0, assigned: 0, confirmed: 0, reversed: 0, earned: 0, claimed: 0 };

/** What each kind adds to its batch; a code that support gave in exchange counts as given, but not as a referral. */
const OF_BATCH: Partial<Record<HistoryGroup["what"], "given" | "confirmed">> = {
  assigned: "given",
  claimed: "given",
  replaced: "given",
  confirmed: "confirmed",
};

/** An app's history, added up in memory: some hundred days and batches, however many rows. */
export class HistorySums {
  private readonly byDay = new Map<string, Omit<DayRow, "appId">>();
  private readonly byBatch = new Map<string, Omit<BatchRow, "appId">>();

  add({ what, day, campaign, platform, batch, rows }: HistoryGroup): void {
    if (what !== "replaced") {
      const key = `${day} ${campaign} ${platform}`;
      const sums = this.byDay.get(key) ?? { day, campaignId: campaign, platform, ...NO_DAY };
      sums[what] += rows;
      this.byDay.set(key, sums);
    }
    const column = OF_BATCH[what];
    if (!batch || !column) return;
    const sums = this.byBatch.get(batch) ?? { batchId: batch, given: 0, confirmed: 0 };
    sums[column] += rows;
    this.byBatch.set(batch, sums);
  }

  days(appId: string): DayRow[] {
    return [...this.byDay.values()].map((row) => ({ ...row, appId }));
  }

  batches(appId: string): BatchRow[] {
    return [...this.byBatch.values()].map((row) => ({ ...row, appId }));
  }
}
