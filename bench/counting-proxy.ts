import type { Socket } from "node:net";
import { onCleanup } from "@/bench/cleanup";
import { startTcpProxy } from "@/lib/testing/tcp-proxy";

/** A proxy that counts statements by name, and round trips. */
export interface CountingProxy {
  port: number;
  statements: Map<string, number>;
  trips: number;
  reset(): void;
}

/** Counts the messages of a PostgreSQL client: Sync and Query end a round trip, Bind names the statement. */
class MessageCounter {
  private rest: Buffer = Buffer.alloc(0);
  private started = false;

  constructor(private readonly proxy: CountingProxy) {}

  read(chunk: Buffer): void {
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    for (;;) {
      const tag = this.started ? 1 : 0;
      if (this.rest.length < tag + 4) return;
      const end = tag + this.rest.readInt32BE(tag);
      if (this.rest.length < end) return;
      if (this.started) this.count(String.fromCharCode(this.rest[0] ?? 0), this.rest.subarray(5, end));
      this.started = true;
      this.rest = this.rest.subarray(end);
    }
  }

  private count(type: string, body: Buffer): void {
    if (type === "S" || type === "Q") this.proxy.trips += 1;
    if (type !== "B") return;
    const name = body.toString("latin1").split("\0", 2)[1] || "(unnamed)";
    this.proxy.statements.set(name, (this.proxy.statements.get(name) ?? 0) + 1);
  }
}

/** Starts a port that forwards to a database and counts the messages. */
export async function startCountingProxy(database: string): Promise<CountingProxy> {
  const watch = (client: Socket) => {
    const counter = new MessageCounter(proxy);
    client.on("data", (chunk) => counter.read(chunk));
  };
  const forwarder = await startTcpProxy(database, { watch });
  onCleanup(async () => forwarder.stop());
  const proxy: CountingProxy = {
    port: forwarder.port,
    statements: new Map(),
    trips: 0,
    reset() {
      this.statements.clear();
      this.trips = 0;
    },
  };
  return proxy;
}
