import { dailyStats } from "@/lib/db/schema";
import { sample } from "../sample";
import { inDatabase } from "./database";

const DAY = 86_400_000;
const DAYS = 60;

/** A wave with a rise: the same pictures every time, and something to see in them. */
const wave = (day: number, height: number) =>
  Math.round(height * (0.55 + 0.45 * Math.sin(day / 3.3) ** 2) * (1 + day / DAYS));

/** Two months of figures behind today, which no test could click together. */
export async function writeHistory(): Promise<void> {
  const { app_id: appId, campaign_id: campaignId } = sample();
  const rows = Array.from({ length: DAYS }, (_, index) => ({
    ...{ appId, campaignId, platform: index % 2 ? ("ios" as const) : ("android" as const) },
    day: new Date(Date.now() - (DAYS - index) * DAY).toISOString().slice(0, 10),
    ...{ clicked: wave(index, 90), assigned: wave(index, 34), confirmed: wave(index, 17) },
    ...{ reversed: index % 9 ? 0 : 1, earned: wave(index, 5), claimed: wave(index, 4) },
  }));
  await inDatabase((db) => db.orm.insert(dailyStats).values(rows).onConflictDoNothing());
}
