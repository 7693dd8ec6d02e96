import cluster from "node:cluster";
import { randomUUID } from "node:crypto";
import { shared } from "@/lib/shared";

/** What one process tells the others: plain data. */
type BroadcastMessage = { kind: string } & Record<string, unknown>;

/** Between a worker and the supervisor: ask, pass on, acknowledge, done. */
export interface Wire {
  metacode: "broadcast" | "deliver" | "delivered" | "done";
  id: string;
  message?: BroadcastMessage;
}

/** Whether a message between processes is one of ours: other code sends its own there. */
export function isWire(value: unknown): value is Wire {
  return typeof value === "object" && value !== null && "metacode" in value && "id" in value;
}

type Hear = (message: BroadcastMessage) => void | Promise<void>;

interface Exchange {
  handlers: Map<string, Set<Hear>>;
  waiting: Map<string, () => void>;
}

/** A worker that is stuck must not hold up the one that asks. */
const PATIENCE = 1_000;

function exchange(): Exchange {
  return shared("server.broadcast", () => {
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
  await Promise.allSettled(handlers.map(async (hear) => hear(message)));
  process.send?.({ metacode: "delivered", id } satisfies Wire);
}

/** Calls `hear` whenever another process broadcasts this kind; returns what takes it off again. */
export function onBroadcast(kind: string, hear: Hear): () => void {
  const { handlers } = exchange();
  const known = handlers.get(kind) ?? new Set();
  handlers.set(kind, known.add(hear));
  return () => known.delete(hear);
}

/**
 * Tells every other process of this service and resolves when all have acted on it, at the latest after a second.
 * Does nothing where there is only one process. Other machines hear nothing: they need their own expiry.
 */
export async function broadcast(message: BroadcastMessage): Promise<void> {
  const { waiting } = exchange();
  if (!cluster.isWorker || !process.connected) return;
  const id = randomUUID();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, PATIENCE);
    waiting.set(id, () => {
      clearTimeout(timer);
      resolve();
    });
    process.send?.({ metacode: "broadcast", id, message } satisfies Wire);
  });
  waiting.delete(id);
}
