import { once } from "node:events";
import { createServer, type Server } from "node:net";

/** A port of this machine that must not be reached. It counts connections. */
export interface Canary {
  port: number;
  connections(): number;
  stop(): Promise<void>;
}

/** Listens on every address of the machine, IPv6 too. */
export async function startCanary(): Promise<Canary> {
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  server.listen(0, "::");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const stop = async () => {
    server.close();
    await once(server, "close");
  };
  return { port, connections: () => connections, stop };
}
