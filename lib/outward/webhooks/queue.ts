import { type DeliveryOptions, sendTaken, type TakenDelivery } from "@/lib/outward/webhooks/deliver";
import { SCHEDULE, type Schedule } from "@/lib/outward/webhooks/schedule";
import { jsonb, sqlFunction } from "@/lib/platform/db/calls";
import type { Db } from "@/lib/platform/db/client";
import type { Queue } from "@/lib/platform/jobs/queue";

/** Concurrent deliveries of one process. */
const CONCURRENCY = 32;

/** Maximum wait of events from other processes and of retries. */
const POLL_MS = 500;

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

/** The webhook deliveries that are due, of all apps. */
export function webhookQueue(db: Db, options: DeliveryOptions = {}): Queue<TakenDelivery> {
  const { schedule = SCHEDULE } = options;
  const send = sendTaken(db, options);
  return {
    name: "webhooks",
    take: (limit) => db.call(TAKE_WEBHOOKS, { limit, rules: schedule }),
    work: async (taken) => {
      await send(taken);
    },
    concurrency: CONCURRENCY,
    pollMs: POLL_MS,
  };
}
