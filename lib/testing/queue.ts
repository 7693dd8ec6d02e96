import type { Queue } from "@/lib/platform/jobs/queue";

/** Works once on what a queue has due, as a process would, and returns the number of rows. */
export async function workOff<Item>(queue: Queue<Item>, limit = 20): Promise<number> {
  const items = await queue.take(limit);
  await Promise.all(items.map((item) => queue.work(item)));
  return items.length;
}
