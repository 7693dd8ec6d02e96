import type { Context } from "@/lib/context";
import type { Db } from "@/lib/db/client";
import { SCHEDULE } from "@/lib/webhooks/schedule";

/** Deliveries of one endpoint that a round queues at most. */
const AT_ONCE = 100;

/** Lets an endpoint that was slowed have one delivery; if that gets through, the others follow. */
export async function wakeEndpoint(db: Db, job: { app: string; endpoint: string }, schedule = SCHEDULE) {
  await db.call("wake_webhooks", [job.app, job.endpoint, 1, schedule.grace]);
}

/** Queues deliveries of an app for which nobody came, such as those of a sender that died. */
export async function wakeWebhooks(ctx: Pick<Context, "app" | "db">, schedule = SCHEDULE): Promise<void> {
  await ctx.db.call("wake_app_webhooks", [ctx.app.id, AT_ONCE, schedule.grace]);
}
