import { SEND_ALERT, sendToChannel } from "@/lib/alerts/send-to-channel";
import type { Task } from "@/lib/jobs/worker";

/** The jobs of alerts, by the names under which they are queued. */
export function alertTasks(): Record<string, Task> {
  return { [SEND_ALERT]: sendToChannel };
}
