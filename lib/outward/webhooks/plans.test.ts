import { type SQL, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { webhookQueue } from "@/lib/outward/webhooks/queue";
import { SCHEDULE } from "@/lib/outward/webhooks/schedule";
import { openDatabase } from "@/lib/platform/db/client";
import { emitExample } from "@/lib/testing/events";
import { workOff } from "@/lib/testing/queue";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { makeReceiver } from "@/lib/testing/webhooks/webhooks";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8" });

const BACKLOG = 5_000;
const BATCH = 30;

/** Rows of the table at the time when plans are made: of this endpoint, or of many endpoints of other apps. */
const STATES: [name: string, rows: (app: string, endpoint: string) => SQL, until: SQL][] = [
  [
    "without open deliveries",
    (app, endpoint) =>
      sql`select ${app}::uuid as app, ${endpoint}::uuid as endpoint from generate_series(1, 5000)`,
    sql`true`,
  ],
  [
    "after a backlog, which left large indexes of few rows",
    () => sql`
      select o.id as app, o.id as endpoint
        from generate_series(1, 300) n, lateral (select gen_random_uuid() as id where n > 0) o, generate_series(1, 40)`,
    sql`id <> all(array(select id from webhook_deliveries limit 4))`,
  ],
];

test.each(STATES)("plans from a time %s read few rows when thousands are open", async (_, rows, until) => {
  const { ctx } = await makeTenant();
  const { id } = await makeReceiver(ctx);
  const { DATABASE_URL: url = "" } = process.env;
  // One connection, because plans belong to a connection.
  const db = openDatabase({ url, size: 1, waitMs: 20_000 });
  const queue = webhookQueue(db, {
    schedule: { ...SCHEDULE, patience: 3_600 },
    send: async () => ({ status: 204, headers: {}, body: "", ms: 1 }),
  });
  const emit = () => emitExample(db, ctx.app.id, "referral.redeemed", { referral_id: uuidv7() });
  const add = (of: SQL, due: SQL) =>
    db.orm.execute(sql`
      insert into webhook_deliveries
        (app_id, id, endpoint_id, event_id, event_type, lane, place, status, due_at, wake_at, parked_at, leased_until)
      select app, gen_random_uuid(), endpoint, gen_random_uuid(), 'referral.redeemed', gen_random_uuid(), 1, 'pending', now(), ${due}
        from (${of}) o`);
  await db.orm.execute(sql`truncate webhook_deliveries`);
  // The server's own analysis would replace the plans.
  await db.orm.execute(sql`alter table webhook_deliveries set (autovacuum_enabled = off)`);
  await add(rows(ctx.app.id, id), sql`now(), now(), now()`);
  await db.orm.execute(sql`
    update webhook_deliveries
       set status = 'delivered', due_at = null, wake_at = null, parked_at = null, leased_until = null
     where ${until}`);
  await db.orm.execute(sql`vacuum analyze webhook_deliveries`);
  await db.orm.execute(sql`delete from webhook_deliveries where status = 'pending'`);
  const testSlots = () =>
    db.orm.execute(sql`select webhook_slots(${ctx.app.id}, ${id}, ${BATCH}, ${{ batch: BATCH }}, true)`);
  // PostgreSQL caches a function's plan from its sixth call on.
  for (let n = 0; n < 8; n++) {
    await emit();
    expect(await workOff(queue)).toBe(1);
    await testSlots();
  }
  const backlog = sql`select ${ctx.app.id}::uuid as app, ${id}::uuid as endpoint from generate_series(1, ${BACKLOG}::int)`;
  await add(backlog, sql`now(), null, null`);
  const rowsRead = async () => {
    await db.orm.execute(sql`select pg_stat_force_next_flush()`);
    const { rows } = await db.orm.execute<{ read: string }>(
      sql`select t.seq_tup_read + sum(i.idx_tup_read) as read
            from pg_stat_user_tables t join pg_stat_user_indexes i using (relid)
           where t.relname = 'webhook_deliveries' group by t.seq_tup_read`,
    );
    return Number(rows[0]?.read);
  };
  const before = await rowsRead();
  expect(await workOff(queue, BATCH)).toBe(BATCH);
  await emit();
  await testSlots();
  const after = await rowsRead();
  await db.close();
  // A poll reads somewhat more deliveries than it takes, and finds each of them a few times by its key or lane.
  expect(after - before).toBeLessThan(20 * BATCH);
});
