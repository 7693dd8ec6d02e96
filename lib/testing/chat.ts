import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A chat's incoming webhook: keeps what is posted, answers as it is told. */
export async function startChat() {
  const posts: { path: string; body: Record<string, unknown> }[] = [];
  const chat = { status: 200 };
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    posts.push({ path: request.url ?? "", body: JSON.parse(text) });
    response.writeHead(chat.status).end("ok");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    posts,
    /** The status of every later answer. */
    answer: (status: number) => {
      chat.status = status;
    },
    url: (path: string) => `http://127.0.0.1:${port}/${path}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
