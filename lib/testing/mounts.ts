import type { AddressInfo } from "node:net";
import type { Handlers } from "@/lib/http/route";
import { table, unknown } from "@/lib/server/routes";
import { serve } from "@/lib/server/serve";
import { type Reply, readReply } from "@/lib/testing/client";
import { expectDocumented } from "@/lib/testing/documented";

export interface Ask {
  method?: string;
  headers?: Record<string, string>;
  /** Text is sent as JSON; bytes are sent without a Content-Type. */
  body?: string | Uint8Array;
}

/** One way in which the same handlers are reached. */
export interface Mount {
  ask(path: string, options?: Ask): Promise<Reply>;
  close(): Promise<void>;
}

function init({ method = "POST", headers = {}, body }: Ask): RequestInit {
  const type: Record<string, string> = typeof body === "string" ? { "content-type": "application/json" } : {};
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const bare = method === "GET" || method === "HEAD" || bytes === undefined;
  return { method, headers: { ...type, ...headers }, ...(!bare && { body: bytes as BodyInit }) };
}

/** As the App Router calls them. */
function handlers(): Mount {
  return {
    async ask(path, options = {}) {
      const url = new URL(path, "http://localhost:3000");
      const match = table.find(url.pathname) ?? unknown;
      const handler = (match.module as Handlers)[(options.method ?? "POST") as keyof Handlers];
      const reply = await readReply(await handler(new Request(url, init(options)), { params: match.params }));
      return expectDocumented(options.method ?? "POST", path, reply);
    },
    close: async () => undefined,
  };
}

/** As our own server mounts them, over a socket. */
async function server(): Promise<Mount> {
  const loadPages = () => async () => undefined;
  const { server, drain } = await serve({ table, unknown, loadPages, host: "127.0.0.1", port: 0, hops: 0 });
  const { port } = server.address() as AddressInfo;
  return {
    async ask(path, options = {}) {
      const reply = await readReply(await fetch(`http://127.0.0.1:${port}${path}`, init(options)));
      return expectDocumented(options.method ?? "POST", path, reply);
    },
    close: drain,
  };
}

export const MOUNTS = { handlers: async () => handlers(), server };
