import { createServer } from "node:http";

// Accepts every webhook without reading it: its cost is not the service's.
const server = createServer((incoming, outgoing) => {
  incoming.resume();
  outgoing.writeHead(204).end();
});
process.on("disconnect", () => process.exit(0));
process.on("SIGINT", () => undefined);
server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
