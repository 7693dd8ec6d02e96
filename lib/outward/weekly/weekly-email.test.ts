import { and, eq, isNotNull, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, onTestFinished, test, vi } from "vitest";
import { LOOK_S } from "@/lib/outward/problems/watch";
import { updateWeeklyEmail, WEEKLY_ROUND } from "@/lib/outward/weekly/weekly-email";
import { database } from "@/lib/platform/db/client";
import { apps, dailyStats, emails, memberships, rounds, weeklyEmails } from "@/lib/platform/db/schema";
import { runQueue } from "@/lib/platform/jobs/queue";
import { roundQueue } from "@/lib/platform/jobs/rounds";
import { forgetSingleton } from "@/lib/platform/singleton";
import { deleteApp, restoreApp } from "@/lib/tenants/apps/delete";
import type { Context } from "@/lib/tenants/context";
import { addMember } from "@/lib/tenants/workspaces/members";
import { emailsTo } from "@/lib/testing/accounts";
import { useService } from "@/lib/testing/service";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";
import { makeAccount } from "@/lib/testing/workspace";
import { appRounds } from "@/lib/web/background/rounds";
import { unsubscribeRoute } from "@/lib/web/http/unsubscribe";
import { sendWeeklyEmails } from "./weekly-email";

useService();

/** A member of the tenant's workspace who has switched the email on. */
async function subscriber({ ctx }: Tenant): Promise<{ ctx: Context; email: string; id: string }> {
  const { id, email } = await makeAccount();
  await addMember(database(), { workspaceId: ctx.workspace.id, userId: id, role: "viewer" });
  const own = { ...ctx, actor: { kind: "user", id, name: "Ann", address: "192.0.2.7" } as const };
  await updateWeeklyEmail(own, true);
  return { ctx: own, email, id };
}

/** Confirmed referrals on each of the two last Sundays. */
async function confirmed({ ctx, campaignId }: Tenant, last: number, before: number): Promise<void> {
  const row = { appId: ctx.app.id, campaignId, platform: "ios" } as const;
  const sunday = (weeks: number) =>
    sql<string>`date_trunc('week', now() at time zone 'UTC')::date - 1 - 7 * ${weeks}::int`;
  await database()
    .orm.insert(dailyStats)
    .values([
      { ...row, day: sunday(0), confirmed: last },
      { ...row, day: sunday(1), confirmed: before },
    ]);
}

/** Lets another week pass since the last email. */
const passWeek = ({ ctx }: Tenant) =>
  database()
    .orm.update(weeklyEmails)
    .set({ sentWeek: sql`${weeklyEmails.sentWeek} - 7` })
    .where(eq(weeklyEmails.appId, ctx.app.id));

const ownRound = ({ ctx }: Tenant) => and(eq(rounds.appId, ctx.app.id), eq(rounds.name, WEEKLY_ROUND));

const roundOf = async (tenant: Tenant) => {
  const [row] = await database().orm.select().from(rounds).where(ownRound(tenant));
  return row;
};

const subjects = async (email: string) => (await emailsTo(email)).map(({ subject }) => subject);

test("one of several processes sends a member the last week, once, and again a week later", async () => {
  const tenant = await makeTenant();
  await confirmed(tenant, 42, 30);
  const [ann, bob] = [await subscriber(tenant), await subscriber(tenant)];
  const { ctx } = tenant;
  const run = () => sendWeeklyEmails(ctx);
  await run();
  expect(await subjects(ann.email)).toEqual([]);
  await passWeek(tenant);
  await Promise.all(Array.from({ length: 6 }, run));
  expect([await subjects(ann.email), await subjects(bob.email)]).toEqual([
    ["Fitness: 42 confirmed referrals last week"],
    ["Fitness: 42 confirmed referrals last week"],
  ]);
  expect((await emailsTo(ann.email))[0]?.text).toContain("Confirmed: 42 (week before: 30)");
  await run();
  expect(await subjects(ann.email)).toHaveLength(1);
  await passWeek(tenant);
  await run();
  expect(await subjects(ann.email)).toHaveLength(2);
});

test("the round is due next Monday morning, UTC, and after its run on the Monday after", async () => {
  const tenant = await makeTenant();
  await subscriber(tenant);
  const due = (await roundOf(tenant))?.dueAt;
  expect([due?.getUTCDay(), due && due > new Date(), [6, 7].includes(due?.getUTCHours() ?? 0)]).toEqual([
    1,
    true,
    true,
  ]);
  await subscriber(tenant);
  expect((await roundOf(tenant))?.dueAt).toEqual(due);
  await database().orm.update(rounds).set({ dueAt: sql`now()`, markedAt: null }).where(ownRound(tenant));
  const stops = [1, 2].map(() =>
    runQueue(
      roundQueue(
        database(),
        "apps",
        { [WEEKLY_ROUND]: () => sendWeeklyEmails(tenant.ctx) },
        { concurrency: 1, pollMs: 20 },
      ),
    ),
  );
  onTestFinished(async () => {
    await Promise.all(stops.map((stop) => stop()));
  });
  // On a Monday, the day alone would not show that it ran.
  const dueAgain = async () => (await roundOf(tenant))?.dueAt ?? new Date(0);
  await vi.waitFor(async () => expect((await dueAgain()).getTime()).toBeGreaterThan(Date.now()), {
    timeout: 60_000,
  });
  expect((await dueAgain()).getUTCDay()).toBe(1);
});

test("a process that dies halfway has sent nothing, and the next one sends it", async () => {
  const tenant = await makeTenant();
  await confirmed(tenant, 1, 0);
  const ann = await subscriber(tenant);
  await passWeek(tenant);
  const dying = database().transaction(async (db) => {
    await sendWeeklyEmails({ ...tenant.ctx, db });
    throw new Error("killed");
  });
  await expect(dying).rejects.toThrow("killed");
  expect(await subjects(ann.email)).toEqual([]);
  await sendWeeklyEmails(tenant.ctx);
  expect(await subjects(ann.email)).toEqual(["Fitness: 1 confirmed referral last week"]);
});

test("a deleted app keeps its round, so that the email comes again once it is restored", async () => {
  const tenant = await makeTenant();
  await confirmed(tenant, 1, 0);
  const ann = await subscriber(tenant);
  await passWeek(tenant);
  const run = async () => {
    const own = { appId: tenant.ctx.app.id, name: WEEKLY_ROUND, lease: uuidv7(), seenAt: null };
    return appRounds(database())[WEEKLY_ROUND](own);
  };
  await deleteApp(tenant.ctx);
  expect(await run()).toBe(LOOK_S);
  expect(await subjects(ann.email)).toEqual([]);
  const actor = { kind: "user", id: ann.id, name: "Ann", address: "192.0.2.7" } as const;
  const workspace = { id: tenant.ctx.workspace.id, name: "Test", plan: "pro" } as const;
  // As a process of the previous version left it.
  const round = and(eq(rounds.appId, tenant.ctx.app.id), eq(rounds.name, WEEKLY_ROUND));
  await database().orm.update(rounds).set({ dueAt: null }).where(round);
  await restoreApp({ workspace, actor, role: "owner", db: database() }, tenant.ctx.app.id);
  expect(await database().orm.$count(rounds, and(round, isNotNull(rounds.dueAt)))).toBe(1);
  expect(await run()).toBeGreaterThan(0);
  expect(await subjects(ann.email)).toHaveLength(1);
});

test("members who switched it off or left, and those of a week without figures, do not get it", async () => {
  const [tenant, quiet] = [await makeTenant(), await makeTenant()];
  await confirmed(tenant, 5, 0);
  await confirmed(quiet, 0, 9);
  const [ann, off, gone, idle] = [
    await subscriber(tenant),
    await subscriber(tenant),
    await subscriber(tenant),
    await subscriber(quiet),
  ];
  const { id, email } = await makeAccount();
  await addMember(database(), { workspaceId: tenant.ctx.workspace.id, userId: id, role: "owner" });
  await updateWeeklyEmail(off.ctx, false);
  await database().orm.delete(memberships).where(eq(memberships.userId, gone.id));
  for (const each of [tenant, quiet]) {
    await passWeek(each);
    await sendWeeklyEmails(each.ctx);
  }
  expect(await subjects(ann.email)).toHaveLength(1);
  for (const other of [off, gone, idle, { email }]) expect(await subjects(other.email)).toEqual([]);
  await updateWeeklyEmail(ann.ctx, false);
  expect(await sendWeeklyEmails(tenant.ctx)).toBeNull();
});

test("the link in it unsubscribes with one POST, and a GET changes nothing", async () => {
  const [tenant, other] = [await makeTenant(), await makeTenant()];
  await confirmed(tenant, 5, 0);
  const [ann, bob] = [await subscriber(tenant), await subscriber(tenant)];
  await passWeek(tenant);
  await sendWeeklyEmails(tenant.ctx);
  const [sent] = await database().orm.select().from(emails).where(eq(emails.recipient, ann.email));
  const [, appId = "", token = ""] =
    /\/unsubscribe\/([\w-]+)\/([\w-]+)$/.exec(sent?.unsubscribeUrl ?? "") ?? [];
  expect(sent?.text).toContain(`/unsubscribe/${appId}/${token}`);
  const { GET, POST } = unsubscribeRoute();
  const call = async (handler: typeof GET, link: { appId: string; token: string }) => {
    const response = await handler(new Request("http://localhost"), { params: Promise.resolve(link) });
    expect(response.status).toBe(200);
    return response.text();
  };
  const switched = () =>
    database().orm.$count(weeklyEmails, and(eq(weeklyEmails.appId, appId), eq(weeklyEmails.userId, ann.id)));
  await database().orm.update(apps).set({ name: `<b>"A"&` }).where(eq(apps.id, appId));
  const page = await call(GET, { appId, token });
  expect(page).toContain("<button>Unsubscribe</button>");
  expect(page).toContain("<h1>Unsubscribe from the weekly email of &#60;b&#62;&#34;A&#34;&#38;?</h1>");
  // An app that is deleted may come back.
  await database().orm.update(apps).set({ deletedAt: new Date() }).where(eq(apps.id, appId));
  expect(await call(GET, { appId, token })).toContain("<button>Unsubscribe</button>");
  for (const wrong of [
    { appId, token: "x" },
    { appId: other.ctx.app.id, token },
    { appId, token: appId },
  ]) {
    await call(POST, wrong);
  }
  expect(await switched()).toBe(1);
  await call(POST, { appId, token });
  expect(await switched()).toBe(0);
  expect(await call(POST, { appId, token })).toContain("You are unsubscribed");
  expect(await call(GET, { appId, token })).not.toContain("<button>");
  expect(await database().orm.$count(weeklyEmails, eq(weeklyEmails.userId, bob.id))).toBe(1);
});

test("a link in it is a page that asks for another try while the database is away", async () => {
  const { GET, HEAD, POST } = unsubscribeRoute();
  const link = { appId: uuidv7(), token: uuidv7() };
  await database().close();
  const answers: Response[] = [];
  for (const handler of [GET, POST, HEAD])
    answers.push(await handler(new Request("http://localhost"), { params: Promise.resolve(link) }));
  forgetSingleton("database");
  for (const { status, headers } of answers) {
    expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  }
  expect(await answers[1]?.text()).toContain("<h1>Back in a moment</h1>");
});
