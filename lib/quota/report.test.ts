import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import type { WorkspaceContext } from "@/lib/context";
import { database } from "@/lib/db/client";
import { keyUsageDays, mails, quotaUsage, workspaces } from "@/lib/db/schema";
import { joinAs, makeOffice } from "@/lib/testing/office";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { mailWarnings } from "./mail-warnings";
import { projection, readQuota } from "./usage";

useService({ APP_URL: "https://metacode.example" });

const NOW = new Date("2026-06-11T00:00:00Z");
const MONTH = "2026-06-01";

/** Counts requests of a workspace with room for 1,000, with the line that they crossed, as `take_quota` does. */
async function use(ctx: WorkspaceContext, used: number, month = MONTH): Promise<void> {
  const alerted = [1_000, 800, 0].find((line) => line <= used) ?? 0;
  const { workspaceId } = quotaUsage;
  await database()
    .orm.insert(quotaUsage)
    .values({ workspaceId: ctx.workspace.id, month, used, alerted })
    .onConflictDoUpdate({ target: [workspaceId, quotaUsage.month], set: { used, alerted } });
}

describe("the report of a month", () => {
  test("tells limit, use, pace, the months before and the share of each app", async () => {
    const { office, tenant } = await makeOffice({ plan: "free", quota: 4_000 });
    const other = await makeTenant({ codes: 0 });
    await use(office, 900);
    await use(office, 3_000, "2026-05-01");
    const count = (appId: string, day: string, requests: number) =>
      database()
        .orm.insert(keyUsageDays)
        .values({ appId, keyId: uuidv7(), day, requests, refused: 0, failed: 0 });
    await count(tenant.ctx.app.id, "2026-06-01", 500);
    await count(tenant.ctx.app.id, "2026-06-10", 300);
    await count(tenant.ctx.app.id, "2026-05-31", 7);
    await count(other.ctx.app.id, "2026-06-02", 9);
    expect(await readQuota(office, NOW)).toEqual({
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
    const { office } = await makeOffice({ plan: "basic" });
    const report = await readQuota(office, NOW);
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

describe("owners and admins", () => {
  const lettersTo = async (...team: WorkspaceContext[]) => {
    const sent = await database().orm.select().from(mails);
    return team.map(({ actor }) =>
      sent.filter(({ recipient }) => recipient.startsWith(actor.id)).map(({ subject }) => subject),
    );
  };

  test("are written to once at 80 and once at 100 percent, by any number of processes", async () => {
    const { office: owner } = await makeOffice({ plan: "free" });
    const [admin, member] = [
      await joinAs(owner.workspace.id, "admin"),
      await joinAs(owner.workspace.id, "member"),
    ];
    const round = () => Promise.all(Array.from({ length: 4 }, () => mailWarnings(database(), NOW)));
    await use(owner, 799);
    await round();
    expect(await lettersTo(owner, admin, member)).toEqual([[], [], []]);
    await use(owner, 812);
    for (let time = 0; time < 2; time++) await round();
    const eighty = "Test: 81 % of the monthly quota is used";
    expect(await lettersTo(owner, admin, member)).toEqual([[eighty], [eighty], []]);
    await use(owner, 1_000);
    for (let time = 0; time < 2; time++) await round();
    const full = "Test: the monthly quota is used up";
    expect(await lettersTo(owner, admin, member)).toEqual([[eighty, full], [eighty, full], []]);
  });

  test("hear nothing of a month gone by, or of a line that a larger plan put out of reach", async () => {
    const { office: past } = await makeOffice({ plan: "free" });
    await use(past, 1_000, "2026-05-01");
    const { office: larger } = await makeOffice({ plan: "free" });
    await use(larger, 900);
    await database()
      .orm.update(workspaces)
      .set({ plan: "basic" })
      .where(eq(workspaces.id, larger.workspace.id));
    await mailWarnings(database(), NOW);
    expect(await lettersTo(past, larger)).toEqual([[], []]);
  });
});
