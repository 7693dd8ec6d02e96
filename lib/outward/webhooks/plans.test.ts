import { sql } from "drizzle-orm";
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

test("plans from a time without open deliveries read few rows when thousands are open", async () => {
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
  const add = (status: "delivered" | "pending", count: number) =>
    db.orm.execute(sql`
      insert into webhook_deliveries
        (app_id, id, endpoint_id, event_id, event_type, lane, place, status, due_at, wake_at)
      select ${ctx.app.id}, gen_random_uuid(), ${id}, gen_random_uuid(), 'referral.redeemed', gen_random_uuid(), n, ${status}, due, due
        from generate_series(1, ${count}::int) n, lateral (select case ${status}::text when 'pending' then now() end as due) d`);
  await add("delivered", 5_000);
  await db.orm.execute(sql`vacuum analyze webhook_deliveries`);
  // A function's plan is kept from its sixth call on.
  for (let n = 0; n < 8; n++) {
    await emit();
    expect(await workOff(queue)).toBe(1);
  }
  await add("pending", BACKLOG);
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
  const after = await rowsRead();
  await db.close();
  // A poll looks at some deliveries more than it takes; each of them is then found a few times by its key or lane.
  expect(after - before).toBeLessThan(20 * BATCH);
});
