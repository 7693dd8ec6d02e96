import { setTimeout as pause } from "node:timers/promises";
import { alertTasks } from "@/lib/alerts/tasks";
import { env } from "@/lib/env";
import { startWorker, type Task } from "@/lib/jobs/worker";
import { log } from "@/lib/log";
import { webhookTasks } from "@/lib/webhooks/tasks";

/** Between two attempts to start where the database is away. */
const AGAIN_MS = 5_000;

/** Every kind of job, by the name under which it is queued. */
const tasks = (): Record<string, Task> => ({ ...webhookTasks(), ...alertTasks() });

/** Works off the queue of this installation until the returned function is called, which waits for what runs. */
export function startJobs(): () => Promise<void> {
  const { DATABASE_URL: url, DATABASE_POOLER } = env();
  const stopped = new AbortController();
  const start = async (): Promise<(() => Promise<void>) | undefined> => {
    while (url && !stopped.signal.aborted) {
      try {
        return await startWorker({ url, sessions: DATABASE_POOLER === "none", tasks: tasks() });
      } catch (error) {
        log().warn({ err: error }, "the job worker could not start and tries again");
        await pause(AGAIN_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
      }
    }
    return undefined;
  };
  const running = start();
  return async () => {
    stopped.abort();
    await (await running)?.();
  };
}
