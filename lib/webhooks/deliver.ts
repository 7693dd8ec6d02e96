import type { Db } from "@/lib/db/client";
import { sendOutside } from "@/lib/outside/send";
import { type Attempt, attempt, type Send } from "@/lib/webhooks/attempt";
import { type News, tellOwners } from "@/lib/webhooks/owners";
import { SCHEDULE, type Schedule } from "@/lib/webhooks/schedule";
import type { Message } from "@/lib/webhooks/sign";

/** A delivery as its job names it. */
export interface DeliveryRef {
  app: string;
  delivery: string;
}

type Taken = { state: "taken"; takes: number; url: string } & Message;
type NotTaken = { state: "done" | "blocked" | "taken by another" | "early" | "off" | "held" | "busy" };

interface Finished {
  status: "delivered" | "failed" | "dead" | "stale";
  news?: News | null;
  endpoint?: string;
}

/** What tests replace. */
export interface Delivering {
  schedule?: Schedule;
  send?: Send;
}

async function finish(db: Db, job: DeliveryRef, taken: Taken, result: Attempt, schedule: Schedule) {
  const values = [job.app, job.delivery, taken.takes, result, schedule];
  if (result.error === null) return (await db.call<Finished>("finish_webhook", values)).status;
  // Only a failure can be news, and the letter goes with what it says or not at all.
  return db.transaction(async (tx) => {
    const { status, news, endpoint } = await tx.call<Finished>("finish_webhook", values);
    if (news && endpoint) await tellOwners(tx, { app: job.app, endpoint, news, schedule });
    return status;
  });
}

/**
 * Sends one delivery if it is its turn, and writes down what came of it; returns that in a word. Any number of
 * processes may be told of the same one: one of them sends. Whoever dies on the way leaves it to the next, with the
 * same `webhook-id`.
 */
export async function deliverWebhook(db: Db, job: DeliveryRef, options: Delivering = {}): Promise<string> {
  const { schedule = SCHEDULE, send = sendOutside } = options;
  const taken = await db.call<Taken | NotTaken>("take_webhook", [job.app, job.delivery, schedule]);
  if (taken.state !== "taken") return taken.state;
  return finish(db, job, taken, await attempt(taken, send), schedule);
}
