import { connect, createServer, type Server } from "node:net";
import { onEnd } from "@/bench/ending";

/** Statements by name, and how often the client waited for the server. */
export interface Wire {
  port: number;
  statements: Map<string, number>;
  trips: number;
  reset(): void;
}

/** Counts what a PostgreSQL client says: Sync and Query each end one round trip, Bind names the statement. */
class Listener {
  private rest: Buffer = Buffer.alloc(0);
  private started = false;

  constructor(private readonly wire: Wire) {}

  hear(chunk: Buffer): void {
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
    if (type === "S" || type === "Q") this.wire.trips += 1;
    if (type !== "B") return;
    const name = body.toString("latin1").split("\0", 2)[1] || "(unnamed)";
    this.wire.statements.set(name, (this.wire.statements.get(name) ?? 0) + 1);
  }
}

/** A port that passes everything on to a database and counts what goes over it. */
export async function openWire(database: string): Promise<Wire> {
  const { hostname, port } = new URL(database);
  const server: Server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port), noDelay: true });
    const listener = new Listener(wire);
    client.on("data", (chunk) => listener.hear(chunk));
    client.pipe(upstream).pipe(client);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on("error", () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onEnd(async () => void server.close());
  const address = server.address();
  const wire: Wire = {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    statements: new Map(),
    trips: 0,
    reset() {
      this.statements.clear();
      this.trips = 0;
    },
  };
  return wire;
}
