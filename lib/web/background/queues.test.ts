import { sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, onTestFinished, test, vi } from "vitest";
import type { SendRequest } from "@/lib/outward/webhooks/deliver";
import { createEndpoint } from "@/lib/outward/webhooks/manage-endpoints";
import { webhookQueue } from "@/lib/outward/webhooks/queue";
import { SCHEDULE } from "@/lib/outward/webhooks/schedule";
import { database, openDatabase } from "@/lib/platform/db/client";
import { emails } from "@/lib/platform/db/schema";
import { sendEmail } from "@/lib/platform/email/send";
import { runQueue, wakeQueue } from "@/lib/platform/jobs/queue";
import { forApps } from "@/lib/tenants/apps/for-apps";
import type { Context } from "@/lib/tenants/context";
import { cutConnections, isAway, takeDatabaseAway } from "@/lib/testing/database/outage";
import { emitExample } from "@/lib/testing/events";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { deliveriesOf } from "@/lib/testing/webhooks/webhooks";
import { startQueues } from "@/lib/web/background/rounds";

useService({ LOG_LEVEL: "silent" });

const EVENTS = 50;
const WAYS = [
  ["with sessions of our own", true],
  ["behind a transaction-mode pooler", false],
] as const;

/** Leases end soon, so the test need not wait for the lease of a sender that lost its connection. */
const schedule = { ...SCHEDULE, lease: 1, parallel: 32 };

/** Emits events of different pools, so that no delivery waits for another. */
async function emit({ app, db }: Context, count: number): Promise<void> {
  for (let index = 0; index < count; index++)
    await emitExample(db, app.id, "pool.low", { pool_id: uuidv7() });
}

/** An app whose endpoint calls `receive`, and a process that sends to it. */
async function sending(sessions: boolean, receive: (id: string) => Promise<void>) {
  const { ctx } = await makeTenant();
  await createEndpoint(ctx, { url: "https://hooks.example.com/in", events: ["pool.low"] });
  const send: SendRequest = async ({ headers }) => {
    await receive(headers["webhook-id"] ?? "");
    return { status: 200, headers: {}, body: "", ms: 1 };
  };
  const start = () => {
    const db = openDatabase({ url: process.env.DATABASE_URL ?? "", sessions, size: 4, waitMs: 20_000 });
    const stop = runQueue({ ...webhookQueue(db, { schedule, send }), pollMs: 50 });
    onTestFinished(async () => {
      await stop();
      await db.close();
    });
  };
  return { ctx, start };
}

const deliveredAll = (ctx: Context, count: number) =>
  vi.waitFor(
    async () => {
      const states = (await deliveriesOf(ctx)).map(({ status }) => status);
      expect(states).toEqual(Array(count).fill("delivered"));
    },
    { timeout: 60_000, interval: 100 },
  );

test.each(WAYS)(
  "%s, a database that goes away under all senders costs no delivery and no sender",
  async (_, sessions) => {
    const got: string[] = [];
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { ctx, start } = await sending(sessions, async (id) => {
      got.push(id);
      await answered;
    });
    await emit(ctx, EVENTS);
    start();
    await vi.waitFor(() => expect(got).toHaveLength(schedule.parallel), { timeout: 60_000 });
    const giveBack = await takeDatabaseAway();
    answer();
    // Later connections are refused as well, so the senders have met the outage.
    for (let times = 0; times < 20; times++) expect(await isAway()).toBe(true);
    await giveBack();
    await deliveredAll(ctx, EVENTS);
    expect(new Set(got).size).toBe(EVENTS);
    await emit(ctx, 1);
    await deliveredAll(ctx, EVENTS + 1);
  },
);

test.each(WAYS)(
  "%s, connections that break again and again while deliveries run cost none",
  async (_, sessions) => {
    const got = new Set<string>();
    const { ctx, start } = await sending(sessions, async (id) => {
      if (!got.has(id) && got.size % 5 === 0) await cutConnections();
      got.add(id);
    });
    await emit(ctx, 60);
    start();
    await deliveredAll(ctx, 60);
    expect(got.size).toBe(60);
  },
);

test("a result that could not be stored at once is stored within its lease, and nothing is sent twice", async () => {
  const got: string[] = [];
  const { ctx } = await sending(true, async () => undefined);
  await emit(ctx, 1);
  let giveBack: (() => Promise<void>) | undefined;
  const send: SendRequest = async ({ headers }) => {
    got.push(headers["webhook-id"] ?? "");
    giveBack = await takeDatabaseAway();
    return { status: 200, headers: {}, body: "", ms: 1 };
  };
  const db = openDatabase({ url: process.env.DATABASE_URL ?? "", size: 2, waitMs: 20_000 });
  const stop = runQueue({ ...webhookQueue(db, { send }), pollMs: 50 });
  await vi.waitFor(() => expect(giveBack).toBeDefined(), { timeout: 60_000 });
  for (let times = 0; times < 10; times++) expect(await isAway()).toBe(true);
  await giveBack?.();
  await deliveredAll(ctx, 1);
  await stop();
  await db.close();
  expect(got).toHaveLength(1);
});

test("queues that start during a database outage begin when the database is back", async () => {
  await sendEmail(database(), { to: "olga@example.com", subject: "Hello", text: "Hello" });
  const giveBack = await takeDatabaseAway();
  const stop = startQueues();
  onTestFinished(stop);
  for (let times = 0; times < 5; times++) expect(await isAway()).toBe(true);
  await giveBack();
  await vi.waitFor(
    async () => {
      const [row] = await database().orm.select({ sentAt: emails.sentAt }).from(emails);
      expect(row?.sentAt).toBeInstanceOf(Date);
    },
    { timeout: 60_000 },
  );
});

test("a process hears of its own events at once", async () => {
  const { ctx } = await sending(true, async () => undefined);
  const send: SendRequest = async () => ({ status: 200, headers: {}, body: "", ms: 1 });
  const queue = webhookQueue(ctx.db, { send });
  const take = vi.fn(queue.take);
  const stop = runQueue({ ...queue, take, pollMs: 3_600_000 });
  onTestFinished(stop);
  // The first poll has found nothing, so the event is delivered only if the queue is woken.
  await vi.waitFor(() => expect(take).toHaveResolvedWith([]));
  await emit(ctx, 1);
  wakeQueue("webhooks");
  await deliveredAll(ctx, 1);
});

test("an app whose waiting events take long delays no other app's in the same round", async () => {
  const apps = [await makeTenant(), await makeTenant()].map(({ ctx }) => ctx.app.id);
  const begun = new Set<string>();
  const untilBoth = async ({ app }: Context) => {
    begun.add(app.id);
    await vi.waitFor(() => expect(begun.size).toBe(2), { timeout: 10_000 });
  };
  const ids = sql`select id from apps where id = any(${sql.param(apps)}::uuid[])`;
  expect(await forApps(database(), ids, untilBoth, "failed")).toEqual({ found: 2, failed: [] });
});
