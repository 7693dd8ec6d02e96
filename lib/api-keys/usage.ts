import { and, eq, gte } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { KeyUsage, UsageDay } from "@/lib/contract/key-usage";
import { keyUsageDays } from "@/lib/db/schema";

const DAY = 86_400_000;

/** Requests per day of every key of the app that was used within `days` days, today (UTC) last. */
export async function keyUsage(ctx: Context, days = 30, now = Date.now()): Promise<KeyUsage> {
  const calendar = Array.from({ length: days }, (_, index) => dayOf(now - (days - 1 - index) * DAY));
  const { appId, keyId, day, requests, refused, failed } = keyUsageDays;
  const rows = await ctx.db.orm
    .select({ keyId, day, requests, refused, failed })
    .from(keyUsageDays)
    .where(and(eq(appId, ctx.app.id), gte(day, calendar[0] ?? dayOf(now))));
  const found = new Map<string, Map<string, UsageDay>>();
  for (const { keyId: key, ...row } of rows) {
    const known = found.get(key) ?? new Map<string, UsageDay>();
    found.set(key, known.set(row.day, row));
  }
  const filled = (known: Map<string, UsageDay>) => calendar.map((one) => known.get(one) ?? none(one));
  return Object.fromEntries([...found].map(([key, known]) => [key, filled(known)]));
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const none = (day: string): UsageDay => ({ day, requests: 0, refused: 0, failed: 0 });
