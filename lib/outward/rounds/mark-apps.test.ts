import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { rounds } from "@/lib/platform/db/schema";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { markChangedApps } from "./mark-apps";

useService();

test.each([
  ["after the last run", 60_000],
  ["after an outage", 86_400_000],
])(
  "a friend who joins the line starts a check, which may request other codes for them: %s",
  async (_, ms) => {
    const { tenant, api, metacode } = await referringTenant({ codes: 0 });
    const appId = tenant.ctx.app.id;
    await database().orm.execute(sql`update outbox set created_at = now() - interval '8 days'`);
    await database().orm.execute(sql`update audit_log set created_at = now() - interval '8 days'`);
    await database().orm.delete(rounds);
    await database().orm.insert(rounds).values({
      appId,
      name: "checks",
      dueAt: sql`now() + interval '1 day'`,
      seenAt: sql`now() - interval '1 hour'`,
    });
    const mark = () => markChangedApps(database(), new Date(Date.now() - ms).toISOString());
    const dueIn = async () => {
      const checks = and(eq(rounds.appId, appId), eq(rounds.name, "checks"));
      const [row] = await database().orm.select().from(rounds).where(checks);
      return (row?.dueAt?.getTime() ?? 0) - Date.now();
    };
    await mark();
    expect(await dueIn()).toBeGreaterThan(3_600_000);
    expect((await api.redeem("amy", metacode)).status).toBe(503);
    await mark();
    expect(await dueIn()).toBeLessThanOrEqual(0);
  },
);
