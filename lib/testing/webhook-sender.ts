import { startWorker } from "@/lib/jobs/worker";
import { SCHEDULE, type Schedule } from "@/lib/webhooks/schedule";
import { webhookTasks } from "@/lib/webhooks/tasks";

/** Run as a process of its own by tests: sends what is queued, by a schedule that is so many times as fast. */
const [, , url = "", factor = "1"] = process.argv;

/** Waits are scaled; what a request may take is not, as a request takes what it takes. */
export function scaled(times: number): Schedule {
  const by = (seconds: number) => seconds / times;
  const { waits, slow_first, slow_most, warn_after, disable_after } = SCHEDULE;
  return {
    ...SCHEDULE,
    ...{ waits: waits.map(by), lease: 1, grace: 1, slow_first: by(slow_first), slow_most: by(slow_most) },
    ...{ warn_after: by(warn_after), disable_after: by(disable_after) },
  };
}

if (url) {
  const schedule = scaled(Number(factor));
  startWorker({ url, sessions: true, tasks: webhookTasks({ schedule }), pollMs: 50 });
  process.stdout.write("sending\n");
}
