import type { Queue } from "@/lib/platform/jobs/queue";

/** Works once on a queue's due rows, as a process would, and returns their number. */
export async function workOff<Item>(queue: Queue<Item>, limit = 20): Promise<number> {
  const items = await queue.take(limit);
  await Promise.all(items.map((item) => queue.work(item)));
  return items.length;
}
