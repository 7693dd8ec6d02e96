import cluster from "node:cluster";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { relayBroadcasts } from "@/lib/platform/broadcast/broadcast";
import { env } from "@/lib/platform/env";
import { wakeQueue } from "@/lib/platform/jobs/queue";

// A separate cluster, so that no handler stays on the one of this process.
vi.mock("node:cluster", async () => {
  const { EventEmitter } = await import("node:events");
  return { default: Object.assign(new EventEmitter(), { isWorker: true, workers: {} }) };
});

interface Sent {
  metacode?: string;
  id?: string;
}

/** The messages that this process sends its supervisor. */
const sent: Sent[] = [];
beforeEach(() => {
  sent.length = 0;
  const send = process.send?.bind(process) as (...values: unknown[]) => boolean;
  const spy = vi.spyOn(process, "send").mockImplementation((message: Sent, ...rest: unknown[]) => {
    if (message.metacode) return sent.push(message) > 0;
    return send(message, ...rest);
  });
  onTestFinished(() => spy.mockRestore());
});

test.each([
  ["all", 1],
  ["worker", 1],
  ["web", 0],
] as const)(
  "a queue that a process with ROLE=%s does not run is announced to the others: %i times",
  (ROLE, times) => {
    Object.assign(env(), { ROLE });
    onTestFinished(() => void Object.assign(env(), { ROLE: "all" }));
    wakeQueue("webhooks");
    expect(sent.map(({ metacode }) => metacode)).toEqual(Array(times).fill("broadcast"));
  },
);

test("the supervisor forgets a message that a process never acknowledges once its sender no longer waits", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  relayBroadcasts();
  const worker = (id: number) => {
    const got: Sent[] = [];
    return { id, got, isConnected: () => true, send: (message: Sent) => got.push(message) };
  };
  const [sender, other] = [worker(1), worker(2)];
  Object.assign(cluster, { workers: { 1: sender, 2: other } });
  const ask = (id: string) =>
    cluster.emit("message", sender, { metacode: "broadcast", id, message: { kind: "note" } });
  const acknowledge = (id: string) => cluster.emit("message", other, { metacode: "delivered", id });
  ask("in time");
  vi.advanceTimersByTime(900);
  acknowledge("in time");
  ask("late");
  vi.advanceTimersByTime(1_000);
  acknowledge("late");
  expect(other.got.map(({ id }) => id)).toEqual(["in time", "late"]);
  expect(sender.got).toEqual([{ metacode: "done", id: "in time" }]);
});
