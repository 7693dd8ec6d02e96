import { sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Context } from "@/lib/context";
import { database } from "@/lib/db/client";
import { freeStuck, startWorker } from "@/lib/jobs/worker";
import { cutConnections, isAway, takeDatabaseAway } from "@/lib/testing/away";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { deliveriesOf } from "@/lib/testing/webhooks";
import type { Send } from "@/lib/webhooks/attempt";
import { createEndpoint } from "@/lib/webhooks/create";
import { SCHEDULE } from "@/lib/webhooks/schedule";
import { webhookTasks } from "@/lib/webhooks/tasks";
import { wakeWebhooks } from "@/lib/webhooks/wake";

useService();

const WORKERS = 4;
const EVENTS = 12;
const WAYS = [
  ["with sessions of our own", true],
  ["behind a transaction-mode pooler", false],
] as const;

/** Leases end at once, so that nobody waits for the half minute of one whose sender lost its connection. */
const schedule = { ...SCHEDULE, lease: 0.5, grace: 0.5 };

/** Events of lanes of their own. A job that its sender took along is missed a minute after the event; here sooner. */
async function emit({ app, db }: Context, count: number): Promise<void> {
  for (let index = 0; index < count; index++)
    await db.call("emit", [app.id, "pool.low", { pool_id: uuidv7() }]);
  await db.orm.execute(sql`update webhook_deliveries set wake_at = now() + interval '1 s'
    where app_id = ${app.id} and status = 'pending'`);
}

/** An app with an endpoint behind which `receive` stands, and a worker that sends there. */
async function sending(sessions: boolean, receive: (id: string) => Promise<void>) {
  const { ctx } = await makeTenant();
  await createEndpoint(ctx, { url: "https://hooks.example.com/in", events: ["pool.low"] });
  const send: Send = async ({ headers }) => {
    await receive(headers["webhook-id"] ?? "");
    return { status: 200, headers: {}, body: "", ms: 1 };
  };
  const start = () => {
    const { DATABASE_URL: url = "" } = process.env;
    const tasks = webhookTasks({ schedule, send });
    const stop = startWorker({ url, sessions, tasks, concurrency: WORKERS, pollMs: 50, againMs: 50 });
    onTestFinished(stop);
  };
  return { ctx, start };
}

/** What the round does every minute, until everything is delivered. */
const deliveredAll = (ctx: Context, count: number) =>
  vi.waitFor(
    async () => {
      await wakeWebhooks(ctx, schedule);
      const states = (await deliveriesOf(ctx)).map(({ status }) => status);
      expect(states).toEqual(Array(count).fill("delivered"));
    },
    { timeout: 30_000, interval: 100 },
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
    await vi.waitFor(() => expect(got).toHaveLength(WORKERS), { timeout: 10_000 });
    const giveBack = await takeDatabaseAway();
    answer();
    // Whoever asks later is turned away as well, so the senders have met it.
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
  60_000,
);

test("a worker that starts while the database is away begins when it is back", async () => {
  const got: string[] = [];
  const { ctx, start } = await sending(true, async (id) => void got.push(id));
  await emit(ctx, 3);
  const giveBack = await takeDatabaseAway();
  start();
  for (let times = 0; times < 5; times++) expect(await isAway()).toBe(true);
  await giveBack();
  await vi.waitFor(() => expect(got).toHaveLength(3), { timeout: 10_000 });
});

test("what a worker took and died with is freed, and nobody else's job in the same tables", async () => {
  const { ctx } = await sending(true, async () => undefined);
  const { pool } = database();
  await pool.query("delete from graphile_worker._private_jobs");
  await pool.query("select graphile_worker.add_job(name) from unnest($1::text[]) name", [
    ["deliver_webhook", "somebody_elses"],
  ]);
  const lock = (ago: string) =>
    pool.query(
      "update graphile_worker._private_jobs set locked_by = 'w' || task_id, locked_at = now() - $1::interval",
      [ago],
    );
  const locked = async () => {
    await freeStuck(ctx.db, ["deliver_webhook"]);
    const { rows } = await pool.query(
      "select task_identifier as name from graphile_worker.jobs where locked_at is not null order by name",
    );
    return rows.map(({ name }) => name);
  };
  await lock("40 s");
  expect(await locked()).toEqual(["deliver_webhook", "somebody_elses"]);
  await lock("50 s");
  expect(await locked()).toEqual(["somebody_elses"]);
});
