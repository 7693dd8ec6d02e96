import type { Server } from "node:http";

/** Requests under way get this long after the port is closed. */
const PATIENCE = 5_000;
const SWEEP = 50;

/** Closes the port, lets running requests finish and resolves when the last connection is gone, or after 5 s. */
export async function drainServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    // A connection whose last answer left before the word came would stay idle for its keep-alive time.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP);
    const timer = setTimeout(() => server.closeAllConnections(), PATIENCE);
    server.once("close", () => {
      clearInterval(sweep);
      clearTimeout(timer);
    });
  });
}
