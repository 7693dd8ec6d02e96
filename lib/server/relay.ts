import cluster, { type Worker } from "node:cluster";
import { isWire, type Wire } from "@/lib/server/broadcast";

interface Pending {
  asker: Worker;
  /** Ids of the workers that have not acknowledged. */
  open: Set<number>;
}

function tell(worker: Worker, wire: Wire): void {
  if (worker.isConnected()) worker.send(wire, () => undefined);
}

/** In the supervisor: passes broadcasts on and tells the asker when every living worker has acted. */
export function relayBroadcasts(): void {
  const pending = new Map<string, Pending>();
  const close = (id: string, workerId: number) => {
    const entry = pending.get(id);
    if (!entry?.open.delete(workerId) || entry.open.size > 0) return;
    pending.delete(id);
    tell(entry.asker, { metacode: "done", id });
  };
  cluster.on("message", (worker, wire: unknown) => {
    if (!isWire(wire)) return;
    if (wire.metacode === "delivered") close(wire.id, worker.id);
    if (wire.metacode !== "broadcast") return;
    const others = Object.values(cluster.workers ?? {}).filter(
      (other): other is Worker => other !== undefined && other.id !== worker.id && other.isConnected(),
    );
    if (others.length === 0) return tell(worker, { metacode: "done", id: wire.id });
    pending.set(wire.id, { asker: worker, open: new Set(others.map((other) => other.id)) });
    for (const other of others) tell(other, { ...wire, metacode: "deliver" });
  });
  // A dead worker holds no key in memory any more: that counts as acted.
  cluster.on("exit", (worker) => {
    for (const id of [...pending.keys()]) close(id, worker.id);
  });
}
