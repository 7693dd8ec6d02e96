import { alertQueue } from "@/lib/outward/problems/post";
import { webhookQueue } from "@/lib/outward/webhooks/queue";
import { database, openDatabase } from "@/lib/platform/db/client";
import { emailQueue } from "@/lib/platform/email/sender";
import { closeTransport } from "@/lib/platform/email/transport";
import { env } from "@/lib/platform/env";
import { runQueues } from "@/lib/platform/jobs/queue";
import { codeRequestQueue } from "@/lib/program/code-requests/run-due";
import { roundQueues } from "@/lib/web/background/rounds";

/**
 * Runs every queue and round in this process. Deliveries, emails, alerts and code requests have a few separate
 * connections, so that requests and they do not compete. Returns the function that stops all and waits for their work.
 */
export function startQueues(): () => Promise<void> {
  const { DATABASE_URL: url, DATABASE_POOLER } = env();
  if (!url) return async () => undefined;
  const db = openDatabase({ url, sessions: DATABASE_POOLER === "none", size: 4 });
  const queues = [webhookQueue(db), emailQueue(db), alertQueue(db), codeRequestQueue(db)];
  const stop = runQueues(db, [...queues, ...roundQueues(database())]);
  return async () => {
    await stop();
    closeTransport();
    await db.close();
  };
}
