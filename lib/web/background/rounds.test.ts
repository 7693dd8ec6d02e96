import { and, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { APP_ROUNDS, INSTALLATION_ROUNDS, installationBacklogs } from "@/lib/outward/problems/backlogs";
import { markChangedApps } from "@/lib/outward/rounds/mark-apps";
import { readCounter } from "@/lib/platform/counters";
import { database, openDatabase } from "@/lib/platform/db/client";
import { NIL_ID } from "@/lib/platform/db/index-ranges";
import { apps, campaigns, quotaUsage, refereesInLine, rounds } from "@/lib/platform/db/schema";
import { runQueue } from "@/lib/platform/jobs/queue";
import { type RunRound, roundQueue } from "@/lib/platform/jobs/rounds";
import { clientOf } from "@/lib/testing/client";
import { onCluster } from "@/lib/testing/database/cluster";
import { statementsOf } from "@/lib/testing/database/statements";
import { workOff } from "@/lib/testing/queue";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { appRounds, installationRounds } from "@/lib/web/background/rounds";

useService();

beforeEach(async () => {
  await database().orm.delete(rounds);
});

const taken = (name: string, appId = NIL_ID) => ({ appId, name, lease: uuidv7(), seenAt: null });

/** Runs the rounds of the installation once, as they are due. */
async function runInstallation(seenAt: string | null = null): Promise<void> {
  const due = installationRounds(database());
  for (const name of INSTALLATION_ROUNDS) await due[name]({ ...taken(name), seenAt });
}

/** Apps with a campaign, two pools and two batches each, and without any traffic. */
async function addIdleApps(count: number): Promise<void> {
  const { ctx } = await makeTenant();
  await database().orm.execute(sql`
    with added as (insert into apps (id, workspace_id, name)
      select gen_random_uuid(), ${ctx.workspace.id}, 'idle ' || n from generate_series(1, ${count}::int) n returning id),
    cursors as (insert into rollup_cursors (app_id, last_id, rolled_at) select id, ${NIL_ID}, now() from added),
    campaigns as (insert into campaigns (app_id, id, type, name, status, activated_at, ends_at)
      select id, gen_random_uuid(), 'referral', 'c', 'active', now(), now() + interval '1 year' from added),
    pools as (insert into pools (app_id, id, platform, use, name)
      select id, gen_random_uuid(), 'ios', 'referee', 'p' from added returning app_id, id)
    insert into batches (app_id, id, pool_id, kind, state, size)
    select app_id, gen_random_uuid(), id, 'one_time', 'ready', 100 from pools`);
}

const rowOf = async (appId: string, name: string) => {
  const [row] = await database()
    .orm.select()
    .from(rounds)
    .where(and(eq(rounds.appId, appId), eq(rounds.name, name)));
  return row;
};

test("the rounds run as many statements for 20 idle apps as for 6,000", async () => {
  const seenAt = new Date(Date.now() + 60_000).toISOString();
  await addIdleApps(20);
  // Adds the rounds of each app, spread over hours, and runs the first sweep of the process.
  await runInstallation();
  const few = await statementsOf(() => runInstallation(seenAt));
  await addIdleApps(5_980);
  await runInstallation();
  const many = await statementsOf(() => runInstallation(seenAt));
  expect(many.length).toBe(few.length);
  const { rows } = await database().orm.execute(sql`select 1 from rounds where app_id <> ${NIL_ID}`);
  // Every app has all rounds but the weekly email, which it has only if a member wants one.
  expect(rows.length).toBeGreaterThan(6_000 * (APP_ROUNDS.length - 1));
  const { ctx } = await makeTenant();
  await runInstallation(new Date(Date.now() - 60_000).toISOString());
  expect(await rowOf(ctx.app.id, "retention of an app")).toBeDefined();
});

test.each([
  ["at the first run", "null"],
  ["after the last one", "(now() - interval '1 minute')::text"],
])("an app that changes is due for its figures and checks, the others are not: %s", async (_, since) => {
  const [busy, idle, held] = [await makeTenant(), await makeTenant(), await makeTenant()];
  await database().orm.execute(sql`delete from audit_log`);
  await runInstallation();
  const later = sql`now() + interval '6 hours'`;
  await database().orm.update(rounds).set({ dueAt: later, seenAt: sql`now() - interval '1 hour'` });
  const { metacode } = (await clientOf(busy.key).referrer("ann")).body;
  await clientOf(busy.key).redeem("bob", metacode, "ios");
  await database()
    .orm.insert(refereesInLine)
    .values({
      ...{ appId: held.ctx.app.id, campaignId: held.campaignId, refereeUid: "cat", platform: "ios" },
      ...{ referrerId: uuidv7(), place: uuidv7(), state: "review", beyond: "referrer_daily_cap" },
    });
  const { rows } = await database().orm.execute<{ seenAt: string | null }>(
    sql`select ${sql.raw(since)} as "seenAt"`,
  );
  await markChangedApps(database(), rows[0]?.seenAt ?? null);
  const dueIn = async (appId: string, name: string) =>
    Math.round((((await rowOf(appId, name))?.dueAt?.getTime() ?? 0) - Date.now()) / 1_000);
  expect(await dueIn(busy.ctx.app.id, "checks")).toBeLessThanOrEqual(0);
  expect(await dueIn(busy.ctx.app.id, "figures")).toBeLessThanOrEqual(60);
  expect(await dueIn(held.ctx.app.id, "checks")).toBeLessThanOrEqual(0);
  expect(await dueIn(idle.ctx.app.id, "checks")).toBeGreaterThan(3_600);
  expect(await dueIn(idle.ctx.app.id, "figures")).toBeGreaterThan(3_600);
});

test("a change that a check has seen is not checked again, one that it may have missed is", async () => {
  const { ctx, key } = await makeTenant();
  await database().orm.execute(sql`delete from audit_log`);
  const { metacode } = (await clientOf(key).referrer("ann")).body;
  await clientOf(key).redeem("bob", metacode, "ios");
  const checked = async (at: ReturnType<typeof sql>) => {
    await database().orm.delete(rounds);
    const values = { appId: ctx.app.id, name: "checks", dueAt: sql`now() + interval '6 hours'`, seenAt: at };
    await database().orm.insert(rounds).values(values);
    await markChangedApps(database(), null);
    return ((await rowOf(ctx.app.id, "checks"))?.dueAt?.getTime() ?? 0) < Date.now() + 60_000;
  };
  expect(await checked(sql`now() + interval '60 seconds'`)).toBe(false);
  // The transaction of the change may have been open while the check ran.
  expect(await checked(sql`now() + interval '5 seconds'`)).toBe(true);
});

test("campaigns end, quotas warn and deleted apps are left alone, each found by its index", async () => {
  const [ending, near, gone] = [await makeTenant(), await makeTenant({ plan: "free" }), await makeTenant()];
  const ended = sql`now() - interval '1 second'`;
  for (const { ctx } of [ending, gone]) {
    await database().orm.update(campaigns).set({ endsAt: ended }).where(eq(campaigns.appId, ctx.app.id));
  }
  await database().orm.update(apps).set({ deletedAt: new Date() }).where(eq(apps.id, gone.ctx.app.id));
  const month = `${new Date().toISOString().slice(0, 7)}-01`;
  await database()
    .orm.insert(quotaUsage)
    .values({ workspaceId: near.ctx.workspace.id, month, used: 800 })
    .onConflictDoUpdate({ target: [quotaUsage.workspaceId, quotaUsage.month], set: { used: 800 } });
  await database().orm.execute(sql`delete from audit_log`);
  const due = installationRounds(database());
  await due.campaigns(taken("campaigns"));
  await due.quota(taken("quota"));
  const statusOf = async (appId: string) =>
    (await database().orm.select().from(campaigns).where(eq(campaigns.appId, appId))).map(
      ({ status }) => status,
    );
  expect(await statusOf(ending.ctx.app.id)).toContain("ended");
  expect(await statusOf(gone.ctx.app.id)).not.toContain("ended");
  expect(await rowOf(near.ctx.app.id, "checks")).toMatchObject({ dueAt: expect.any(Date) });
  expect(await rowOf(ending.ctx.app.id, "checks")).toBeUndefined();
});

test("the round of an app checks it, soon again after new alerts, and is due again when only time changes it", async () => {
  const { ctx } = await makeTenant();
  const run = appRounds(database());
  for (const next of [600, 24 * 3_600]) expect(await run.checks(taken("checks", ctx.app.id))).toBe(next);
  expect(await run.figures(taken("figures", ctx.app.id))).not.toBe(undefined);
  expect(await run["retention of an app"](taken("retention of an app", ctx.app.id))).toBe(24 * 3_600);
  expect(await run.checks(taken("checks", uuidv7()))).toBe(24 * 3_600);
});

/** A process's runner of one round of the installation. */
function runProcess(run: RunRound): void {
  const db = openDatabase({ url: process.env.DATABASE_URL ?? "", size: 2, waitMs: 20_000 });
  const stop = runQueue(roundQueue(db, "installation", { changes: run }, { concurrency: 2, pollMs: 50 }));
  onTestFinished(async () => {
    await stop();
    await db.close();
  });
}

test("one process runs a round at a time, and the next run is due after its pause", async () => {
  let underWay = 0;
  let most = 0;
  let runs = 0;
  const run: RunRound = async () => {
    most = Math.max(most, ++underWay);
    await database().orm.execute(sql`select pg_sleep(0.05)`);
    underWay--;
    runs++;
    return 0;
  };
  for (let process = 0; process < 3; process++) runProcess(run);
  await vi.waitFor(() => expect(runs).toBeGreaterThan(10), { timeout: 60_000 });
  expect(most).toBe(1);
});

test("a round that fails is tried again in a minute, has seen nothing, and is late until it succeeds", async () => {
  let failing = true;
  const run: RunRound = async () => {
    if (failing) throw new Error("the database is away");
    return 15;
  };
  const work = () =>
    workOff(roundQueue(database(), "installation", { changes: run }, { concurrency: 1, pollMs: 50 }));
  const late = async () =>
    (await installationBacklogs(database())).find(({ name }) => name === "failing rounds")?.seconds;
  await work();
  const row = await rowOf(NIL_ID, "changes");
  expect(row).toMatchObject({ seenAt: null, leasedUntil: null });
  expect(row?.dueAt?.getTime()).toBeGreaterThan(Date.now() + 30_000);
  expect(await late()).toBe(0);
  const ago = (column: string) => sql`${sql.raw(column)} - interval '11 minutes'`;
  await database()
    .orm.update(rounds)
    .set({ dueAt: ago("due_at"), failingSince: ago("failing_since") });
  await work();
  expect(await late()).toBeCloseTo(600, -2);
  failing = false;
  await database().orm.update(rounds).set({ dueAt: sql`now()` });
  await work();
  expect(await late()).toBe(0);
});

test.skipIf(onCluster())(
  "a round over apps stores those for which it fails, and fails where none of several succeeds (a cluster has no triggers)",
  async () => {
    await database().pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refuse before update on campaigns for each row when (old.name = 'refused') execute function refuse()`);
    onTestFinished(async () => void (await database().pool.query("drop function if exists refuse cascade")));
    const runWithAnother = async () => {
      const { ctx } = await makeTenant();
      const values = { name: "refused", endsAt: sql`now() - interval '1 second'` };
      await database().orm.update(campaigns).set(values).where(eq(campaigns.appId, ctx.app.id));
      return installationRounds(database()).campaigns(taken("campaigns"));
    };
    expect(await runWithAnother()).toBe(30);
    expect(readCounter("round_failures").get("campaigns")).toBe(1);
    const [failing] = await database().orm.select().from(rounds).where(eq(rounds.name, "campaigns"));
    expect(failing).toMatchObject({ dueAt: null, failingSince: expect.any(Date) });
    const since = sql`now() - interval '11 minutes'`;
    await database().orm.update(rounds).set({ failingSince: since });
    await expect(runWithAnother()).rejects.toThrow("all of 2");
    const late = async () =>
      (await installationBacklogs(database())).find(({ name }) => name === "failing rounds");
    expect(await late()).toMatchObject({ app: failing?.appId, seconds: expect.closeTo(660, -2) });
    await database().pool.query("drop function refuse cascade");
    expect(await installationRounds(database()).campaigns(taken("campaigns"))).toBe(30);
    expect(await late()).toMatchObject({ app: null, seconds: 0 });
  },
);

test("a mark that comes while a round runs makes it run again", async () => {
  const { ctx, key } = await makeTenant();
  const run: RunRound = async () => {
    const { metacode } = (await clientOf(key).referrer("ann")).body;
    await clientOf(key).redeem("bob", metacode, "ios");
    await markChangedApps(database(), null);
    return null;
  };
  await database().orm.insert(rounds).values({ appId: ctx.app.id, name: "figures", dueAt: sql`now()` });
  await workOff(roundQueue(database(), "apps", { figures: run }, { concurrency: 1, pollMs: 50 }));
  expect((await rowOf(ctx.app.id, "figures"))?.dueAt).toBeInstanceOf(Date);
});
