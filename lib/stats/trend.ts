import type { Context } from "@/lib/context";
import type { Figures, OverviewQuery, Trend } from "@/lib/contract/overview";
import { type Span, spanOf } from "@/lib/stats/span";
import { TAIL } from "@/lib/stats/tail";

interface Day extends Figures {
  day: string;
}

const NAMES = ["clicked", "assigned", "confirmed", "reversed", "earned", "claimed"] as const;

function sum(days: Figures[]): Figures {
  const total: Figures = { clicked: 0, assigned: 0, confirmed: 0, reversed: 0, earned: 0, claimed: 0 };
  for (const day of days) for (const name of NAMES) total[name] += Number(day[name]);
  return total;
}

/** The days of each bucket: from its first one to the next bucket's. */
function sumsOf(days: Day[], starts: string[], until: string): Figures[] {
  return starts.map((start, n) => {
    const next = starts[n + 1];
    return sum(days.filter(({ day }) => day >= start && (next ? day < next : day <= until)));
  });
}

function toTrend(days: Day[], { unit, starts, startsBefore, until, untilBefore }: Span): Trend {
  const now = sumsOf(days, starts, until);
  const before = sumsOf(days, startsBefore, untilBefore);
  const buckets = starts.map((start, n) => ({ start, now: now[n] ?? sum([]), before: before[n] ?? sum([]) }));
  return { unit, from: starts[0] ?? until, until, buckets, now: sum(now), before: sum(before) };
}

/**
 * The funnel's figures of a span and of the one before, up to this second. Reads a line a day, campaign and platform
 * along the primary key of `daily_stats`, two years of them at most, and the newest events.
 */
export async function readTrend(
  ctx: Context,
  { range, campaign, platform }: Pick<OverviewQuery, "range" | "campaign" | "platform">,
): Promise<Trend> {
  const span = spanOf(range);
  const days = await ctx.db.call<Day[]>("daily_figures", [
    ctx.app.id,
    span.startsBefore[0],
    span.until,
    campaign ?? null,
    platform ?? null,
    TAIL,
  ]);
  return toTrend(days, span);
}
