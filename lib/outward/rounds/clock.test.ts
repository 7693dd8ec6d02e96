import { sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, onTestFinished, test, vi } from "vitest";
import { repairClock } from "@/lib/outward/rounds/clock";
import { markChangedApps } from "@/lib/outward/rounds/mark-apps";
import { database } from "@/lib/platform/db/client";
import { NIL_ID } from "@/lib/platform/db/index-ranges";
import { alertPosts, codeRequests, emails, webhookDeliveries } from "@/lib/platform/db/schema";
import { roundQueue } from "@/lib/platform/jobs/rounds";
import { clientOf } from "@/lib/testing/client";
import { later } from "@/lib/testing/clock";
import {
  countedBatches,
  countedDays,
  rollUpNow,
  storedBatches,
  storedDays,
} from "@/lib/testing/daily-figures";
import { statementsOf } from "@/lib/testing/database/statements";
import { workOff } from "@/lib/testing/queue";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { appRounds, installationRounds } from "@/lib/web/background/rounds";

useService();

const run = (query: ReturnType<typeof sql>) => database().orm.execute(query);

/** Runs the rounds that are due until none is. */
async function runRounds(): Promise<void> {
  await workOff(
    roundQueue(database(), "installation", installationRounds(database()), { concurrency: 1, pollMs: 50 }),
  );
  await workOff(roundQueue(database(), "apps", appRounds(database()), { concurrency: 1, pollMs: 50 }));
}

/** Moves events of an app in time, with the ids that they would then have. */
async function moveEvents(
  appId: string,
  at: ReturnType<typeof sql>,
  where: ReturnType<typeof sql>,
): Promise<void> {
  const id = sql`overlay(id::text placing left(first_id(${at})::text, 13) from 1 for 13)::uuid`;
  await run(sql`update outbox set id = ${id}, created_at = ${at} where app_id = ${appId} and ${where}`);
  await run(sql`update referrals set created_at = ${at} where app_id = ${appId} and ${where}`);
}

/** Sets the database's clock back by ten minutes, as seen from its rows: moves every stored time ten minutes ahead. */
async function setClockBack(appId: string): Promise<void> {
  await moveEvents(appId, later(sql`created_at`, 600), sql`true`);
  const shift = sql`interval '10 minutes'`;
  await run(
    sql`update rounds set due_at = due_at + ${shift}, marked_at = marked_at + ${shift},
               started_at = started_at + ${shift}, seen_at = seen_at + ${shift}`,
  );
  await run(
    sql`update rollup_cursors set last_id = (select max(id::text)::uuid from outbox where app_id = ${appId})
         where app_id = ${appId}`,
  );
}

/** A row of every queue that is due after an interval; a process is at work on the code request and the delivery. */
async function queueRows(appId: string, interval: string): Promise<void> {
  const at = sql`now() + ${interval}::interval`;
  const { orm } = database();
  await orm.insert(emails).values({ id: uuidv7(), recipient: appId, subject: "s", text: "t", dueAt: at });
  const post = { channelId: uuidv7(), title: "t", detail: "d", url: "https://x.example" };
  await orm.insert(alertPosts).values({ ...post, appId, id: uuidv7(), dueAt: at });
  await orm.insert(codeRequests).values({
    appId,
    id: uuidv7(),
    poolId: uuidv7(),
    batchId: uuidv7(),
    origin: "person",
    amount: 1,
    offerType: "subscription",
    offerId: "o",
    offerName: "o",
    expiresOn: "2030-01-01",
    dueAt: sql`now()`,
    leasedUntil: at,
  });
  await orm.insert(webhookDeliveries).values({
    appId,
    id: uuidv7(),
    endpointId: uuidv7(),
    eventId: uuidv7(),
    eventType: "T",
    status: "pending",
    dueAt: sql`now()`,
    wakeAt: at,
    leasedUntil: at,
  });
  await orm.insert(webhookDeliveries).values({
    appId,
    id: uuidv7(),
    endpointId: uuidv7(),
    eventId: uuidv7(),
    eventType: "P",
    status: "pending",
    dueAt: sql`now()`,
    wakeAt: at,
    parkedAt: sql`now()`,
  });
}

/** Minutes for which the rows of each queue still wait, to the nearest ten. */
async function waitsOf(appId: string): Promise<unknown> {
  const wait = (time: string) =>
    sql`round(extract(epoch from ${sql.raw(time)} - now()) / 600)::int * 10 as minutes`;
  const { rows } = await run(sql`
    select 'emails' as name, ${wait("due_at")} from mails where recipient = ${appId} union all
    select 'alerts', ${wait("due_at")} from alert_posts where app_id = ${appId} union all
    select 'code requests', ${wait("greatest(due_at, leased_until)")} from code_requests where app_id = ${appId} union all
    select 'webhooks', ${wait("greatest(due_at, wake_at, leased_until)")} from webhook_deliveries
     where app_id = ${appId} and parked_at is null union all
    select 'parked', ${wait("wake_at")} from webhook_deliveries where app_id = ${appId} and parked_at is not null union all
    select 'round', ${wait("due_at")} from rounds where app_id = ${appId} and name = 'weekly email'
    order by 2`);
  return Object.fromEntries(
    [...new Set(rows.map(({ name }) => name))].map((name) => [
      name,
      rows.filter((row) => row.name === name).map(({ minutes }) => minutes),
    ]),
  );
}

/** Lets the clock catch up with the events of the former time. */
const catchUp = (appId: string) => moveEvents(appId, sql`now()`, sql`created_at > now()`);

const seenOf = async (name: string) =>
  (await run(sql`select seen_at <= now() as seen from rounds where app_id = ${NIL_ID} and name = ${name}`))
    .rows;

test("a clock that is set back by ten minutes costs neither a round nor a figure, and no row waits longer", async () => {
  const tenant = await makeTenant({ codes: 20 });
  const { id } = tenant.ctx.app;
  const api = clientOf(tenant.key);
  const { metacode } = (await api.referrer("ann")).body;
  for (const uid of ["a", "b", "c"]) await api.redeem(uid, metacode);
  await runRounds();
  await rollUpNow(id);
  expect(await storedDays(id)).toMatchObject([{ assigned: 3 }]);
  expect(await repairClock(database())).toBe(false);

  await setClockBack(id);
  for (const uid of ["d", "e"]) await api.redeem(uid, metacode);
  await queueRows(id, "10 minutes");
  await queueRows(id, "3 hours");
  await run(sql`
    insert into rounds (app_id, name, due_at) values (${id}, 'weekly email', now() + interval '3 hours')
    on conflict (app_id, name) do update set due_at = excluded.due_at`);
  expect(await repairClock(database())).toBe(true);
  expect(await repairClock(database())).toBe(false);
  await runRounds();
  expect(await seenOf("changes")).toEqual([{ seen: true }]);
  const [now, rest] = [0, 170];
  expect(await waitsOf(id)).toEqual({
    emails: [now, rest],
    alerts: [now, rest],
    "code requests": [now, rest],
    webhooks: [now, rest],
    parked: [now, rest],
    round: [rest],
  });

  await catchUp(id);
  await rollUpNow(id);
  expect(await storedDays(id)).toEqual(await countedDays(id));
  expect(await countedBatches(id)).toMatchObject([{ assigned: 5 }]);
  expect(await storedBatches(id)).toEqual(await countedBatches(id));
});

test("rows are pulled once by two processes, and again only after the lease of one that was killed meanwhile", async () => {
  const tenant = await makeTenant();
  const { id } = tenant.ctx.app;
  await clientOf(tenant.key).referrer("ann");
  await runRounds();
  await setClockBack(id);
  await queueRows(id, "3 hours");
  const killed = vi.spyOn(database(), "transaction").mockRejectedValueOnce(new Error("killed"));
  onTestFinished(() => void killed.mockRestore());
  await expect(repairClock(database())).rejects.toThrow("killed");
  expect(await repairClock(database())).toBe(false);
  // The lease of a rival whose statement began a second later.
  await run(sql`update rounds set leased_until = now() + interval '61 seconds' where name = 'clock'`);
  expect(await repairClock(database())).toBe(false);
  expect(await waitsOf(id)).toMatchObject({ emails: [170] });
  await run(sql`update rounds set leased_until = now() where name = 'clock'`);
  const both = await Promise.all([repairClock(database()), repairClock(database())]);
  expect(both.sort()).toEqual([false, true]);
  expect(await waitsOf(id)).toMatchObject({ emails: [160], parked: [160] });
  expect((await run(sql`select name from rounds where name = 'clock'`)).rows).toEqual([]);
});

test("a machine whose clock is hours ahead reads the changes since the last run, not the last event of each app", async () => {
  const { rows } = await database().orm.execute<{ at: string }>(sql`select now()::text as at`);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3 * 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  const texts = await statementsOf(() => markChangedApps(database(), rows[0]?.at ?? null));
  expect(texts.filter((text) => text.includes("lateral"))).toEqual([]);
});
