import { createServer } from "node:net";

const ATTEMPTS = 200;

/**
 * The wanted port of the loopback address if it is free, else another. Below the range that systems hand to
 * outgoing connections: a client that retries against a server that is down could otherwise take its port.
 */
export async function freePort(wanted?: number): Promise<number> {
  if (wanted && (await isFree(wanted))) return wanted;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = 15_000 + Math.floor(Math.random() * 17_000);
    if (await isFree(port)) return port;
  }
  throw new Error("There is no free port on 127.0.0.1 for PostgreSQL");
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });
}
