import cluster, { type Worker } from "node:cluster";
import { randomUUID } from "node:crypto";
import { singleton } from "@/lib/platform/singleton";

/** A message from one process to the others: plain data. */
type BroadcastMessage = { kind: string } & Record<string, unknown>;

/** Messages between a worker and the supervisor: request, forward, acknowledge, done. */
interface Wire {
  metacode: "broadcast" | "deliver" | "delivered" | "done";
  id: string;
  message?: BroadcastMessage;
}

/** True for our own messages: other code also sends messages between processes. */
function isWire(value: unknown): value is Wire {
  return typeof value === "object" && value !== null && "metacode" in value && "id" in value;
}

type Listener = (message: BroadcastMessage) => void | Promise<void>;

interface Exchange {
  handlers: Map<string, Set<Listener>>;
  waiting: Map<string, () => void>;
}

/** Milliseconds that a worker waits for the others, so that a stuck worker does not delay it. */
const MAX_WAIT_MS = 1_000;

function exchange(): Exchange {
  return singleton("server.broadcast", () => {
    const state: Exchange = { handlers: new Map(), waiting: new Map() };
    if (cluster.isWorker) process.on("message", (wire) => void receive(state, wire));
    return state;
  });
}

async function receive(state: Exchange, wire: unknown): Promise<void> {
  if (!isWire(wire)) return;
  if (wire.metacode === "done") state.waiting.get(wire.id)?.();
  if (wire.metacode !== "deliver" || !wire.message) return;
  const { id, message } = wire;
  const handlers = [...(state.handlers.get(message.kind) ?? [])];
  await Promise.allSettled(handlers.map(async (listener) => listener(message)));
  process.send?.({ metacode: "delivered", id } satisfies Wire);
}

/** Calls `listener` whenever another process broadcasts this kind. Returns the function that removes it. */
export function onBroadcast(kind: string, listener: Listener): () => void {
  const { handlers } = exchange();
  const known = handlers.get(kind) ?? new Set();
  handlers.set(kind, known.add(listener));
  return () => known.delete(listener);
}

/**
 * Sends a message to every other process of this service and resolves when all have acknowledged it, or after a
 * second. Does nothing in a single process. Other machines receive nothing: their caches need their own expiry.
 */
export async function broadcast(message: BroadcastMessage): Promise<void> {
  const { waiting } = exchange();
  if (!cluster.isWorker || !process.connected) return;
  const id = randomUUID();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, MAX_WAIT_MS);
    waiting.set(id, () => {
      clearTimeout(timer);
      resolve();
    });
    process.send?.({ metacode: "broadcast", id, message } satisfies Wire);
  });
  waiting.delete(id);
}

interface Pending {
  sender: Worker;
  /** Ids of the workers that have not acknowledged. */
  open: Set<number>;
}

function sendTo(worker: Worker, wire: Wire): void {
  if (worker.isConnected()) worker.send(wire, () => undefined);
}

/** In the supervisor: forwards broadcasts and notifies the sender when every living worker has acknowledged. */
export function relayBroadcasts(): void {
  const pending = new Map<string, Pending>();
  const close = (id: string, workerId: number) => {
    const entry = pending.get(id);
    if (!entry?.open.delete(workerId) || entry.open.size > 0) return;
    pending.delete(id);
    sendTo(entry.sender, { metacode: "done", id });
  };
  cluster.on("message", (worker, wire: unknown) => {
    if (!isWire(wire)) return;
    if (wire.metacode === "delivered") close(wire.id, worker.id);
    if (wire.metacode !== "broadcast") return;
    const others = Object.values(cluster.workers ?? {}).filter(
      (other): other is Worker => other !== undefined && other.id !== worker.id && other.isConnected(),
    );
    if (others.length === 0) return sendTo(worker, { metacode: "done", id: wire.id });
    pending.set(wire.id, { sender: worker, open: new Set(others.map((other) => other.id)) });
    for (const other of others) sendTo(other, { ...wire, metacode: "deliver" });
    // A process that hangs never acknowledges. The sender waits no longer than this.
    setTimeout(() => pending.delete(wire.id), MAX_WAIT_MS).unref();
  });
  // A dead worker has no cache left, so it counts as acknowledged.
  cluster.on("exit", (worker) => {
    for (const id of [...pending.keys()]) close(id, worker.id);
  });
}
