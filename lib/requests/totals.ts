import { and, eq, gte, sum } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { apps, keyUsageDays } from "@/lib/db/schema";

const DAY = 86_400_000;

/** What the request log of an app covers. */
interface RequestTotals {
  /** For how many days requests are listed. */
  days: number;
  /** Requests of these days, all of them. */
  requests: number;
  /** Of these, counted but left out of the list, because more came in one second than it keeps. */
  unlisted: number;
}

/** How much of an app's requests its log shows; from the daily counts, so it costs the same at any number of requests. */
export async function requestTotals(ctx: Context): Promise<RequestTotals> {
  const { orm } = ctx.db;
  const [app] = await orm.select({ days: apps.requestLogDays }).from(apps).where(eq(apps.id, ctx.app.id));
  const days = app?.days ?? 0;
  const first = new Date(Date.now() - days * DAY).toISOString().slice(0, 10);
  const [found] = await orm
    .select({ requests: sum(keyUsageDays.requests), unlisted: sum(keyUsageDays.unlisted) })
    .from(keyUsageDays)
    .where(and(eq(keyUsageDays.appId, ctx.app.id), gte(keyUsageDays.day, first)));
  return { days, requests: Number(found?.requests ?? 0), unlisted: Number(found?.unlisted ?? 0) };
}
