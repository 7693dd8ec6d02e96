import { alertTasks } from "@/lib/alerts/tasks";
import { env } from "@/lib/env";
import { startWorker, type Task } from "@/lib/jobs/worker";
import { webhookTasks } from "@/lib/webhooks/tasks";

/** Every kind of job, by the name under which it is queued. */
const tasks = (): Record<string, Task> => ({ ...webhookTasks(), ...alertTasks() });

/** Works off the queue of this installation until the returned function is called, which waits for what runs. */
export function startJobs(): () => Promise<void> {
  const { DATABASE_URL: url, DATABASE_POOLER } = env();
  if (!url) return async () => undefined;
  return startWorker({ url, sessions: DATABASE_POOLER === "none", tasks: tasks() });
}
