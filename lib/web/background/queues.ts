import { alertQueue } from "@/lib/outward/problems/post";
import { webhookQueue } from "@/lib/outward/webhooks/queue";
import { openDatabase } from "@/lib/platform/db/client";
import { emailQueue } from "@/lib/platform/email/sender";
import { closeTransport } from "@/lib/platform/email/transport";
import { env } from "@/lib/platform/env";
import { runQueue } from "@/lib/platform/jobs/queue";
import { codeRequestQueue } from "@/lib/program/code-requests/run-due";

/**
 * Runs every queue in this process over a few separate connections, so that requests and queues do not compete for
 * them. Returns the function that stops the queues and waits for their work.
 */
export function startQueues(): () => Promise<void> {
  const { DATABASE_URL: url, DATABASE_POOLER } = env();
  if (!url) return async () => undefined;
  const db = openDatabase({ url, sessions: DATABASE_POOLER === "none", size: 4 });
  const stops = [
    runQueue(webhookQueue(db)),
    runQueue(emailQueue(db)),
    runQueue(alertQueue(db)),
    runQueue(codeRequestQueue(db)),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
    closeTransport();
    await db.close();
  };
}
