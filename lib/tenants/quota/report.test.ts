import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { keyUsageDays, quotaUsage } from "@/lib/platform/db/schema";
import type { WorkspaceContext } from "@/lib/tenants/context";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { makeWorkspace } from "@/lib/testing/workspace";
import { getQuotaReport, projection } from "./usage";

useService({ APP_URL: "https://metacode.example" });

const NOW = new Date("2026-06-11T00:00:00Z");
const MONTH = "2026-06-01";

/** Counts requests of a workspace with a quota of 1,000, and the threshold that they crossed, like `take_quota`. */
async function use(ctx: WorkspaceContext, used: number, month = MONTH): Promise<void> {
  const alerted = [1_000, 800, 0].find((line) => line <= used) ?? 0;
  const { workspaceId } = quotaUsage;
  await database()
    .orm.insert(quotaUsage)
    .values({ workspaceId: ctx.workspace.id, month, used, alerted })
    .onConflictDoUpdate({ target: [workspaceId, quotaUsage.month], set: { used, alerted } });
}

describe("the report of a month", () => {
  test("shows limit, use, pace, earlier months and the share of each app", async () => {
    const { workspaceContext, tenant } = await makeWorkspace({ plan: "free", quota: 4_000 });
    const other = await makeTenant({ codes: 0 });
    await use(workspaceContext, 900);
    await use(workspaceContext, 3_000, "2026-05-01");
    const count = (appId: string, day: string, requests: number) =>
      database()
        .orm.insert(keyUsageDays)
        .values({ appId, keyId: uuidv7(), day, requests, refused: 0, failed: 0 });
    await count(tenant.ctx.app.id, "2026-06-01", 500);
    await count(tenant.ctx.app.id, "2026-06-10", 300);
    await count(tenant.ctx.app.id, "2026-05-31", 7);
    await count(other.ctx.app.id, "2026-06-02", 9);
    expect(await getQuotaReport(workspaceContext, NOW)).toEqual({
      limit: 4_000,
      used: 900,
      resetAt: new Date("2026-07-01T00:00:00Z"),
      projected: 2_700,
      months: [
        { month: MONTH, used: 900 },
        { month: "2026-05-01", used: 3_000 },
      ],
      apps: [{ id: tenant.ctx.app.id, name: "Fitness", requests: 800 }],
    });
  });

  test("of a new workspace is the plan's own number and nothing used", async () => {
    const { workspaceContext } = await makeWorkspace({ plan: "basic" });
    const report = await getQuotaReport(workspaceContext, NOW);
    expect(report).toMatchObject({ limit: 10_000, used: 0, projected: 0, months: [], apps: [] });
  });

  test.each([
    ["2026-06-01T23:59:00Z", null],
    ["2026-06-16T00:00:00Z", 200],
    ["2026-06-30T23:59:59Z", 100],
  ])("projects from %s: %s", (now, expected) => {
    expect(projection(100, new Date(now))).toBe(expected);
  });
});
