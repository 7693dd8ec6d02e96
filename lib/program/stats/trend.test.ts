import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { daysBefore, isoDay } from "@/lib/contract/format";
import type { Range } from "@/lib/contract/overview";
import { database } from "@/lib/platform/db/client";
import { dailyStats } from "@/lib/platform/db/schema";
import { rollUp } from "@/lib/program/stats/roll-up";
import { readTrend, recentConfirmed, spanOf } from "@/lib/program/stats/trend";
import type { Context } from "@/lib/tenants/context";
import { clientOf } from "@/lib/testing/client";
import { refer } from "@/lib/testing/confirm";
import { rollUpNow } from "@/lib/testing/daily-figures";
import { statementsOf } from "@/lib/testing/database/statements";
import { useService } from "@/lib/testing/service";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";

useService();

const OTHER = "01900000-0000-7000-8000-000000000001";

/** One of each figure on the day `days` days ago. */
async function dayAgo({ ctx, campaignId }: Tenant, days: number, campaign = campaignId): Promise<void> {
  await ctx.db.orm.insert(dailyStats).values({
    appId: ctx.app.id,
    day: daysBefore(isoDay(new Date()), days),
    campaignId: campaign,
    platform: "ios",
    clicked: 1,
    assigned: 1,
    confirmed: 1,
    reversed: 1,
    earned: 1,
    claimed: 1,
  });
}

const all = (ctx: Context, range: Range) =>
  readTrend(ctx, { range, campaign: undefined, platform: undefined });

describe("a span", () => {
  const at = new Date("2026-03-31T23:59:59Z");

  test("has today in it, and as many days before it", () => {
    expect(spanOf("7d", at)).toMatchObject({ until: "2026-03-31", untilBefore: "2026-03-24", unit: "day" });
    expect(spanOf("7d", at).starts).toHaveLength(7);
    expect(spanOf("7d", at).starts[0]).toBe("2026-03-25");
    expect(spanOf("7d", at).startsBefore[0]).toBe("2026-03-18");
    expect(spanOf("90d", at).starts).toHaveLength(90);
  });

  test("of twelve months begins on a first and is compared with the year before up to the same day", () => {
    const span = spanOf("12m", at);
    expect(span.starts).toEqual([
      ...["2025-04-01", "2025-05-01", "2025-06-01", "2025-07-01", "2025-08-01", "2025-09-01"],
      ...["2025-10-01", "2025-11-01", "2025-12-01", "2026-01-01", "2026-02-01", "2026-03-01"],
    ]);
    expect(span.startsBefore[0]).toBe("2024-04-01");
    expect(span.untilBefore).toBe("2025-03-31");
    expect(spanOf("12m", new Date("2028-02-29T12:00:00Z")).untilBefore).toBe("2027-02-28");
  });

  test("of chosen days is compared with as many days before them", () => {
    const span = spanOf("custom", at, { from: "2026-02-27", to: "2026-03-02" });
    expect(span).toEqual({
      unit: "day",
      starts: ["2026-02-27", "2026-02-28", "2026-03-01", "2026-03-02"],
      startsBefore: ["2026-02-23", "2026-02-24", "2026-02-25", "2026-02-26"],
      until: "2026-03-02",
      untilBefore: "2026-02-26",
    });
  });

  test("of many chosen days is drawn by month, from the first day on", () => {
    const span = spanOf("custom", at, { from: "2025-11-15", to: "2026-02-20" });
    expect(span).toMatchObject({
      unit: "month",
      starts: ["2025-11-15", "2025-12-01", "2026-01-01", "2026-02-01"],
      startsBefore: ["2025-08-09", "2025-08-25", "2025-09-25", "2025-10-26"],
      untilBefore: "2025-11-14",
    });
  });

  test.each([
    ["none", {}, "2026-03-02", "2026-03-31"],
    ["days to come", { from: "2026-03-30", to: "2027-01-01" }, "2026-03-30", "2026-03-31"],
    ["the wrong way round", { from: "2026-03-30", to: "2026-03-01" }, "2026-01-31", "2026-03-01"],
    ["ten years", { from: "2016-03-31", to: "2026-03-31" }, "2025-03-31", "2026-03-31"],
  ])("of chosen days that are %s has at most a year and ends today at the latest", (_, days, from, until) => {
    const span = spanOf("custom", at, days);
    expect([span.starts[0], span.until]).toEqual([from, until]);
  });
});

describe("the trend", () => {
  test("has the edges of both spans and nothing beyond them", async () => {
    const tenant = await makeTenant({ codes: 1 });
    for (const days of [0, 6, 7, 13, 14]) await dayAgo(tenant, days);
    const { now, before, buckets } = await all(tenant.ctx, "7d");
    expect([now.confirmed, before.confirmed]).toEqual([2, 2]);
    expect(buckets.map((bucket) => [bucket.now.clicked, bucket.before.clicked])).toEqual([
      ...[
        [1, 1],
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
      ],
      [1, 1],
    ]);
  });

  test("by month adds days up, up to the same day of the year before", async () => {
    const tenant = await makeTenant({ codes: 1 });
    const span = spanOf("12m");
    const daysTo = (day: string) => Math.round((Date.parse(span.until) - Date.parse(day)) / 86_400_000);
    const [first, sameDay] = [daysTo(span.starts[0] ?? ""), daysTo(span.untilBefore)];
    // Days that are still to come this year have no counterpart.
    for (const days of new Set([0, first, sameDay, sameDay - 1])) await dayAgo(tenant, days);
    const { now, before, buckets } = await all(tenant.ctx, "12m");
    expect(buckets).toHaveLength(12);
    expect([now.assigned, before.assigned]).toEqual([2, 1]);
    expect([buckets[0]?.now.assigned, buckets[11]?.before.assigned]).toEqual([expect.any(Number), 1]);
  });

  test("is limited to one campaign or platform on request", async () => {
    const tenant = await makeTenant({ codes: 1 });
    await dayAgo(tenant, 1);
    await dayAgo(tenant, 1, OTHER);
    const { ctx, campaignId } = tenant;
    const read = async (campaign: string | undefined, platform: "ios" | "android" | undefined) =>
      (await readTrend(ctx, { range: "30d", campaign, platform })).now.earned;
    expect(await Promise.all([read(undefined, undefined), read(campaignId, undefined)])).toEqual([2, 1]);
    expect(await Promise.all([read(OTHER, "ios"), read(OTHER, "android")])).toEqual([1, 0]);
  });

  test("changes with each confirmation at once, and not again when it is rolled up", async () => {
    const tenant = await makeTenant({ codes: 10, threshold: 2 });
    const { ctx } = tenant;
    await rollUpNow(ctx.app.id);
    const { metacode } = (await clientOf(tenant.key).referrer("ann")).body;
    await refer(tenant, metacode, 3);
    const expected = { clicked: 0, assigned: 3, confirmed: 3, reversed: 0, earned: 1, claimed: 0 };
    const trend = await all(ctx, "30d");
    expect(trend.now).toEqual(expected);
    expect(trend.buckets.at(-1)?.now).toEqual(expected);
    await rollUpNow(ctx.app.id);
    expect((await all(ctx, "30d")).now).toEqual(expected);
  });

  test("knows nothing of another app", async () => {
    const [mine, other] = [await makeTenant({ codes: 5 }), await makeTenant({ codes: 5 })];
    await dayAgo(other, 1);
    const { metacode } = (await clientOf(other.key).referrer("ann")).body;
    await refer(other, metacode, 1);
    expect((await all(mine.ctx, "90d")).now).toMatchObject({ clicked: 0, assigned: 0, confirmed: 0 });
  });
});

test("a sparkline has the last 30 days of each row of a list, in one statement", async () => {
  const [mine, other] = [await makeTenant({ codes: 1 }), await makeTenant({ codes: 1 })];
  for (const days of [0, 29, 30]) await dayAgo(mine, days);
  await dayAgo(mine, 29, OTHER);
  await dayAgo(other, 1);
  const ids = [mine, other].map(({ ctx }) => ctx.app.id);
  let byApp: (id: string) => number[] = () => [];
  const statements = await statementsOf(async () => {
    byApp = await recentConfirmed(mine.ctx.db, ids, "app");
  });
  expect(statements).toHaveLength(1);
  const [first = [], second = []] = ids.map((id) => byApp(id));
  expect([first.length, first[0], first[28], first[29]]).toEqual([30, 2, 0, 1]);
  expect(second[28]).toBe(1);
  const byCampaign = await recentConfirmed(mine.ctx.db, ids.slice(0, 1), "campaign");
  expect([byCampaign(mine.campaignId)[0], byCampaign(OTHER)[0]]).toEqual([1, 1]);
  expect(byCampaign(other.campaignId)).toEqual(Array(30).fill(0));
});

describe("with more events waiting than a page reads", () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await makeTenant({ codes: 1 });
    await rollUpNow(tenant.ctx.app.id);
    const payload = { referral_id: OTHER, campaign_id: tenant.campaignId, platform: "ios" };
    await database().orm.execute(sql`
      insert into outbox (app_id, id, type, payload)
      select ${tenant.ctx.app.id}, (first_id(now())::text::char(24) || lpad(to_hex(n), 12, '0'))::uuid,
             'referral.code_assigned', ${JSON.stringify(payload)}::jsonb from generate_series(1, 12000) n`);
  });

  test("it adds the oldest ten thousand of them", async () => {
    expect((await all(tenant.ctx, "7d")).now.assigned).toBe(10_000);
    await rollUp(database(), tenant.ctx.app.id, -5);
    expect((await all(tenant.ctx, "7d")).now.assigned).toBe(12_000);
  });
});
