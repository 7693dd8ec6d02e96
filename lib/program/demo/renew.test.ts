import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { isoDay } from "@/lib/contract/format";
import { database } from "@/lib/platform/db/client";
import {
  apiKeys,
  memberships,
  providerConnections,
  referrals,
  users,
  workspaces,
} from "@/lib/platform/db/schema";
import { env } from "@/lib/platform/env";
import { findDemoVisitor } from "@/lib/tenants/accounts/session";
import { getUserApp } from "@/lib/tenants/apps/get";
import { countedDays, countedTotals, storedDays, storedTotals } from "@/lib/testing/daily-figures";
import { blockedBackends } from "@/lib/testing/database/locks";
import { rowsOfApp } from "@/lib/testing/database/rows";
import { useService } from "@/lib/testing/service";
import { DEMO_APP_ID, DEMO_WORKSPACE_ID, renewDemo } from "./renew";

useService();

beforeEach(async () => {
  Object.assign(env(), { PUBLIC_DEMO: "on" });
  await renewDemo(database());
});

/** As if the demo had been built yesterday. */
const age = () =>
  database()
    .orm.update(workspaces)
    .set({ createdAt: sql`now() - interval '1 day'` })
    .where(eq(workspaces.id, DEMO_WORKSPACE_ID));

const referralIds = async () =>
  (await database().orm.select({ id: referrals.id }).from(referrals)).map(({ id }) => id).sort();

test("the demo is built once a day, and its app keeps its address", async () => {
  const first = await referralIds();
  expect(first.length).toBeGreaterThan(50);
  await renewDemo(database());
  expect(await referralIds()).toEqual(first);
  await age();
  await renewDemo(database());
  const second = await referralIds();
  expect(second).toHaveLength(first.length);
  expect(second.filter((id) => first.includes(id))).toEqual([]);
  const visitor = await findDemoVisitor(database());
  expect(visitor?.workspaces).toMatchObject([{ id: DEMO_WORKSPACE_ID, role: "viewer" }]);
});

test("visitors read the whole former demo until the new one is complete", async () => {
  await age();
  const before = await rowsOfApp(DEMO_APP_ID);
  const id = (await findDemoVisitor(database()))?.id ?? "";
  let renewal: Promise<void> | undefined;
  await database().transaction(async (tx) => {
    // The renewal waits for this row, after it has deleted those of the app.
    await tx.orm.select().from(memberships).where(eq(memberships.userId, id)).for("update");
    renewal = renewDemo(database());
    await blockedBackends();
    expect(await rowsOfApp(DEMO_APP_ID)).toEqual(before);
    expect((await getUserApp(database(), id, DEMO_APP_ID)).role).toBe("viewer");
  });
  await renewal;
  expect(await rowsOfApp(DEMO_APP_ID)).not.toEqual(before);
});

test("its figures cover the last weeks and agree with its rows", async () => {
  const days = await storedDays(DEMO_APP_ID);
  expect(days).toEqual(await countedDays(DEMO_APP_ID));
  expect(await storedTotals(DEMO_APP_ID)).toEqual(await countedTotals(DEMO_APP_ID));
  const dates = days.map(({ day }) => String(day));
  expect(dates[0] && dates[0] < isoDay(Date.now() - 30 * 86_400_000)).toBe(true);
  const { rows } = await database().orm.execute<{ late: number }>(sql`
    select (select count(*) from referrals where greatest(created_at, confirmed_at, reversed_at) > now())
         + (select count(*) from rewards where greatest(created_at, claimed_at) > now())
         + (select count(*) from referrals where confirmed_at < created_at or reversed_at < confirmed_at)
         + (select count(*) from pools where created_at > (select min(created_at) from referrals))
         + (select count(*) from audit_log where action = 'confirmation.simulated') as late`);
  expect(Number(rows[0]?.late)).toBe(0);
});

test("it has neither account nor key nor connection, through which someone could come in", async () => {
  const { orm } = database();
  expect(await orm.select().from(users)).toEqual([]);
  expect(await orm.select().from(apiKeys)).toEqual([]);
  expect(await orm.select().from(providerConnections)).toEqual([]);
});

test("a demo that the operator closes has no visitors at once, and its rows are deleted", async () => {
  Object.assign(env(), { PUBLIC_DEMO: "off" });
  onTestFinished(() => void Object.assign(env(), { PUBLIC_DEMO: "on" }));
  expect(await findDemoVisitor(database())).toBeUndefined();
  await renewDemo(database());
  expect(await database().orm.select().from(workspaces)).toEqual([]);
  const left = Object.entries(await rowsOfApp(DEMO_APP_ID)).filter(([, rows]) => rows.length > 0);
  expect(left).toEqual([]);
});
