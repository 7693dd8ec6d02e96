import type { Queue } from "@/lib/platform/jobs/queue";

/** Takes a queue's due rows once and works on them, as a process does. Returns their number. */
export async function workOff<Item>(queue: Queue<Item>, limit = 20): Promise<number> {
  const items = await queue.take(limit);
  await Promise.all(items.map((item) => queue.work(item)));
  return items.length;
}
