import { sql } from "drizzle-orm";
import { type DeliveryOptions, sendTaken, type TakenDelivery } from "@/lib/outward/webhooks/deliver";
import { SCHEDULE, type Schedule } from "@/lib/outward/webhooks/schedule";
import { jsonb, sqlFunction } from "@/lib/platform/db/calls";
import type { Db } from "@/lib/platform/db/client";
import type { DueRows } from "@/lib/platform/jobs/backlog";
import type { Queue } from "@/lib/platform/jobs/queue";

/** Concurrent deliveries of one process. */
const CONCURRENCY = 32;

const TAKE_WEBHOOKS = sqlFunction("take_webhooks", {
  limit: "int",
  rules: jsonb<Schedule>(),
}).returns<TakenDelivery[]>();

/** Wakes deliveries that wait for their endpoint. */
export const WAKE_WEBHOOKS = sqlFunction("wake_webhooks", {
  app: "uuid",
  endpoint: "uuid",
  limit: "int",
  at: "timestamptz",
}).returns<number>();

/** Deliveries that no process looks at. One that waits for its endpoint or another delivery is looked at later. */
export const DUE_WEBHOOKS: DueRows = {
  name: "webhooks",
  select: (app) => sql`
    select app_id, wake_at as at from webhook_deliveries
     where status in ('pending', 'failed') and wake_at <= now() ${app ? sql`and app_id = ${app}` : sql``}
     order by wake_at`,
};

/** A locked row is being finished, so its lease is not needed any more. */
async function extend(db: Db, taken: TakenDelivery[], seconds: number): Promise<void> {
  const column = <Name extends "app" | "id" | "takes">(name: Name) =>
    sql.param(taken.map((row) => row[name]));
  const until = sql`now() + make_interval(secs => ${seconds}::float8)`;
  await db.orm.execute(sql`
    update webhook_deliveries d set leased_until = ${until}, wake_at = ${until}
      from (
        select w.app_id, w.id
          from unnest(${column("app")}::uuid[], ${column("id")}::uuid[], ${column("takes")}::int[]) t (app, id, takes)
          join webhook_deliveries w on w.app_id = t.app and w.id = t.id and w.takes = t.takes
         where w.leased_until is not null and w.status in ('pending', 'failed')
           for update of w skip locked) own
     where d.app_id = own.app_id and d.id = own.id`);
}

/** The webhook deliveries that are due, of all apps. */
export function webhookQueue(db: Db, options: DeliveryOptions = {}): Queue<TakenDelivery> {
  const { schedule = SCHEDULE } = options;
  const send = sendTaken(db, options);
  return {
    name: DUE_WEBHOOKS.name,
    due: DUE_WEBHOOKS.select(),
    take: (limit) => db.call(TAKE_WEBHOOKS, { limit, rules: schedule }),
    extend: (taken) => extend(db, taken, schedule.lease),
    lease: schedule.lease,
    work: async (taken) => {
      await send(taken);
    },
    concurrency: CONCURRENCY,
  };
}
