import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A port of this machine that forwards to a server, with faults that a test can switch on. */
interface TcpProxy {
  port: number;
  /** Breaks every connection; new ones succeed at once. */
  cut(): void;
  /** Refuses or accepts new connections. */
  refuse(refusing: boolean): void;
  /** Holds back all bytes in both directions, or lets them pass again. */
  stall(stalled: boolean): void;
  /** The client's port of the connection that the server sees as coming from the port `seen`. */
  clientPort(seen: number): number | undefined;
  stop(): void;
}

interface Options {
  /** Called with each new connection, before its first byte. */
  watch?: (client: Socket) => void;
}

/** Starts a proxy in front of the server of an address such as a `DATABASE_URL`. */
export async function startTcpProxy(url: string, { watch }: Options = {}): Promise<TcpProxy> {
  const { hostname, port } = new URL(url);
  const pairs = new Map<Socket, Socket>();
  let [refusing, stalled] = [false, false];
  const server = createServer({ noDelay: true }, (client) => {
    if (refusing) return void client.resetAndDestroy();
    const upstream = connect({ host: hostname, port: Number(port), noDelay: true });
    pairs.set(client, upstream);
    watch?.(client);
    client.pipe(upstream).pipe(client);
    if (stalled) hold(client, upstream);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        other.destroy();
        pairs.delete(client);
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    for (const [client, upstream] of pairs) {
      client.resetAndDestroy();
      upstream.destroy();
    }
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    refuse: (next) => {
      refusing = next;
    },
    stall: (next) => {
      stalled = next;
      for (const [client, upstream] of pairs) (next ? hold : release)(client, upstream);
    },
    clientPort: (seen) => [...pairs].find(([, upstream]) => upstream.localPort === seen)?.[0].remotePort,
    stop: () => {
      server.close();
      cut();
    },
  };
}

function hold(client: Socket, upstream: Socket): void {
  client.unpipe(upstream).pause();
  upstream.unpipe(client).pause();
}

function release(client: Socket, upstream: Socket): void {
  client.pipe(upstream).pipe(client);
}
