import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Busy } from "@/lib/server/socket-errors";

/** Requests under way get this long after the port is closed. */
const PATIENCE = 5_000;
const SWEEP = 50;

/** Call before the port opens; returns the end: close the port, let requests finish, resolve with the last, or after 5 s. */
export function drainable(server: Server): () => Promise<void> {
  const sockets = new Set<Socket & Busy>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return () =>
    new Promise((resolve) => {
      // Tells the callers now waiting not to send another request on their connection.
      for (const { _httpMessage: answer } of sockets) if (answer) answer.shouldKeepAlive = false;
      // A connection between two requests would stay open for its keep-alive time.
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP);
      const timer = setTimeout(() => server.closeAllConnections(), PATIENCE);
      server.closeIdleConnections();
      server.close(() => {
        clearInterval(sweep);
        clearTimeout(timer);
        resolve();
      });
    });
}
