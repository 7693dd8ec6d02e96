import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import { markQuotas } from "@/lib/outward/rounds/mark-apps";
import { database } from "@/lib/platform/db/client";
import { apps, emails, outbox, quotaUsage, rounds } from "@/lib/platform/db/schema";
import { limits } from "@/lib/platform/limits/limits";
import type { Context } from "@/lib/tenants/context";
import { TAKE_QUOTA } from "@/lib/tenants/quota/lease";
import { alertRecipients } from "@/lib/tenants/workspaces/members";
import { updatePlan } from "@/lib/tenants/workspaces/update";
import { alertKinds } from "@/lib/testing/problems";
import { watchProblems } from "@/lib/testing/rounds";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { joinAs } from "@/lib/testing/workspace";

useService({ APP_URL: "https://metacode.example" });

describe("the quota", () => {
  const MONTH = `${new Date().toISOString().slice(0, 7)}-01`;

  async function use({ workspace }: Context, used: number, month = MONTH): Promise<void> {
    const { workspaceId } = quotaUsage;
    await database()
      .orm.insert(quotaUsage)
      .values({ workspaceId: workspace.id, month, used })
      .onConflictDoUpdate({ target: [workspaceId, quotaUsage.month], set: { used } });
  }

  const usage = ({ workspace }: Context) => eq(quotaUsage.workspaceId, workspace.id);

  /** A workspace with a quota of 1,000 requests, and two apps without any other problem. */
  async function workspaceOfTwo() {
    const { ctx } = await makeTenant({ codes: 60, plan: "free" });
    const appId = uuidv7();
    await database().orm.insert(apps).values({ id: appId, workspaceId: ctx.workspace.id, name: "Second" });
    const team = {
      owner: await joinAs(ctx.workspace.id, "owner"),
      admin: await joinAs(ctx.workspace.id, "admin"),
      member: await joinAs(ctx.workspace.id, "member"),
    };
    const subjects = async () => {
      const rows = await database().orm.select().from(emails).orderBy(emails.id);
      return Object.values(team).map(({ actor }) =>
        rows.filter(({ recipient }) => recipient.startsWith(actor.id)).map(({ subject }) => subject),
      );
    };
    return { ctx, subjects };
  }

  test("is emailed once at 80% and once when it is used up, for all apps and by any number of processes", async () => {
    const { ctx, subjects } = await workspaceOfTwo();
    const round = () => Promise.all(Array.from({ length: 4 }, () => watchProblems(database())));
    await use(ctx, 799);
    await round();
    expect(await subjects()).toEqual([[], [], []]);
    await use(ctx, 812);
    for (let time = 0; time < 2; time++) await round();
    const eighty = "Test: 81% of the monthly quota is used";
    expect(await subjects()).toEqual([[eighty], [eighty], []]);
    await use(ctx, 1_000);
    for (let time = 0; time < 2; time++) await round();
    const full = "Test: The monthly quota is used up";
    expect(await subjects()).toEqual([[eighty, full], [eighty, full], []]);
    // The alert at 80% stays open, so returned units do not send it again.
    expect(await alertKinds(ctx)).toEqual(["quota", "quota"]);
    await use(ctx, 990);
    await round();
    expect(await subjects()).toEqual([[eighty, full], [eighty, full], []]);
    // A larger plan ends both, and the smaller one afterwards brings them back.
    for (const plan of ["basic", "free"] as const) await updatePlan(database(), ctx.workspace.id, plan);
    await use(ctx, 1_000);
    await round();
    expect((await subjects())[0]).toEqual([eighty, full, full]);
  });

  test("that a smaller plan puts a workspace over is emailed, and sent to its endpoints once", async () => {
    const { ctx, subjects } = await workspaceOfTwo();
    await updatePlan(database(), ctx.workspace.id, "basic");
    await use(ctx, 8_100);
    await watchProblems(database());
    const take = () =>
      database().call(TAKE_QUOTA, { app: ctx.app.id, workspace: ctx.workspace.id, limit: 1_000, units: 1 });
    await database().orm.update(quotaUsage).set({ alerted: 8_000 }).where(usage(ctx));
    await updatePlan(database(), ctx.workspace.id, "free");
    await database().orm.delete(rounds);
    await markQuotas(database());
    expect(await database().orm.select().from(rounds)).toHaveLength(2);
    for (let time = 0; time < 2; time++) await watchProblems(database());
    const sent = ["Test: 81% of the monthly quota is used", "Test: The monthly quota is used up"];
    expect(await subjects()).toEqual([sent, sent, []]);
    for (let time = 0; time < 2; time++) expect(await take()).toMatchObject({ granted: 0 });
    const events = await database().orm.select().from(outbox).where(eq(outbox.appId, ctx.app.id));
    const percents = events.filter(({ type }) => type === "quota.warning").map(({ payload }) => payload);
    expect(percents).toMatchObject([{ percent: 80 }, { percent: 100 }]);
    await database().orm.delete(rounds);
    await markQuotas(database());
    expect(await database().orm.select().from(rounds)).toEqual([]);
  });

  test("is sent to the endpoints again when a smaller plan follows a larger one within the month", async () => {
    const { ctx } = await workspaceOfTwo();
    const take = () =>
      database().call(TAKE_QUOTA, { app: ctx.app.id, workspace: ctx.workspace.id, limit: 1_000, units: 1 });
    const events = () => database().orm.$count(outbox, eq(outbox.appId, ctx.app.id));
    await use(ctx, 799);
    for (let time = 0; time < 2; time++) await take();
    expect(await events()).toBe(1);
    for (const plan of ["basic", "free"] as const) await updatePlan(database(), ctx.workspace.id, plan);
    for (let time = 0; time < 2; time++) await take();
    expect(await events()).toBe(2);
  });

  test("is not sent to the endpoints again by a request that still counts with the limit before a larger plan", async () => {
    const { ctx } = await workspaceOfTwo();
    const take = () =>
      database().call(TAKE_QUOTA, { app: ctx.app.id, workspace: ctx.workspace.id, limit: 1_000, units: 1 });
    await use(ctx, 999);
    await take();
    await updatePlan(database(), ctx.workspace.id, "basic");
    await take();
    expect(await database().orm.$count(outbox, eq(outbox.appId, ctx.app.id))).toBe(2);
  });

  test("is emailed also to a mailbox that has had its emails about each app for today", async () => {
    const { ctx, subjects } = await workspaceOfTwo();
    await use(ctx, 812);
    const owners = await alertRecipients(ctx);
    const ids = await database()
      .orm.select({ id: apps.id })
      .from(apps)
      .where(eq(apps.workspaceId, ctx.workspace.id));
    for (const { id } of ids)
      for (const to of owners)
        for (let n = 0; n < 50; n++) await limits().problemEmail(id, `another ${n}`, to);
    await watchProblems(database());
    const eighty = "Test: 81% of the monthly quota is used";
    expect(await subjects()).toEqual([[eighty], [eighty], []]);
  });

  test("of a past month, or below the line of a larger plan, is not a problem", async () => {
    const past = await workspaceOfTwo();
    await use(past.ctx, 1_000, "2026-05-01");
    const larger = await workspaceOfTwo();
    await use(larger.ctx, 900);
    await updatePlan(database(), larger.ctx.workspace.id, "basic");
    await watchProblems(database());
    expect([await past.subjects(), await larger.subjects()]).toEqual([
      [[], [], []],
      [[], [], []],
    ]);
  });
});
