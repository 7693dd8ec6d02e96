import { z } from "zod";
import type { Task } from "@/lib/jobs/worker";
import { type Delivering, deliverWebhook } from "@/lib/webhooks/deliver";
import { wakeEndpoint } from "@/lib/webhooks/wake";

const delivery = z.object({ app: z.uuid(), delivery: z.uuid() });
const endpoint = z.object({ app: z.uuid(), endpoint: z.uuid() });

/** The jobs of webhooks, by the names under which SQL queues them. */
export function webhookTasks(options: Delivering = {}): Record<string, Task> {
  return {
    deliver_webhook: (db, payload) => deliverWebhook(db, delivery.parse(payload), options),
    wake_webhooks: (db, payload) => wakeEndpoint(db, endpoint.parse(payload), options.schedule),
  };
}
