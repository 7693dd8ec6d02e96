import { createServer } from "node:net";

const LENGTH = /\r\ncontent-length: *(\d+)/i;
const ANSWER = "HTTP/1.1 204 No Content\r\n\r\n";

/** The bytes of the first request, or 0 while it is incomplete. */
function lengthOf(text: string): number {
  const end = text.indexOf("\r\n\r\n") + 4;
  const length = end < 4 ? undefined : LENGTH.exec(text.slice(0, end))?.[1];
  const whole = end + Number(length);
  return text.length >= whole ? whole : 0;
}

// Accepts every webhook, with as little work as Node allows, because it shares the service's cores.
const server = createServer({ noDelay: true }, (socket) => {
  let pending = "";
  socket.setEncoding("latin1").on("data", (text: string) => {
    pending += text;
    for (let length = lengthOf(pending); length > 0; length = lengthOf(pending)) {
      pending = pending.slice(length);
      socket.write(ANSWER);
    }
  });
  socket.on("error", () => socket.destroy());
});
process.on("disconnect", () => process.exit(0));
process.on("SIGINT", () => undefined);
server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
