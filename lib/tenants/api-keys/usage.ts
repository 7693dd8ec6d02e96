import { and, eq, gte } from "drizzle-orm";
import type { KeyUsage, UsageDay } from "@/lib/contract/api-key";
import { DAY_MS, isoDay } from "@/lib/contract/format";
import { keyUsageDays } from "@/lib/platform/db/schema";
import type { Context } from "@/lib/tenants/context";

/** Requests per day of every key used within `days` days, oldest first, today (UTC) last. */
export async function getKeyUsage(ctx: Context, days = 30, now = Date.now()): Promise<KeyUsage> {
  const calendar = Array.from({ length: days }, (_, index) => isoDay(now - (days - 1 - index) * DAY_MS));
  const { appId, keyId, day, requests, refused, failed } = keyUsageDays;
  const rows = await ctx.db.orm
    .select({ keyId, day, requests, refused, failed })
    .from(keyUsageDays)
    .where(and(eq(appId, ctx.app.id), gte(day, calendar[0] ?? isoDay(now))));
  const found = new Map<string, Map<string, UsageDay>>();
  for (const { keyId: key, ...row } of rows) {
    const known = found.get(key) ?? new Map<string, UsageDay>();
    found.set(key, known.set(row.day, row));
  }
  const filled = (known: Map<string, UsageDay>) => calendar.map((date) => known.get(date) ?? unused(date));
  return Object.fromEntries([...found].map(([key, known]) => [key, filled(known)]));
}

const unused = (day: string): UsageDay => ({ day, requests: 0, refused: 0, failed: 0 });
