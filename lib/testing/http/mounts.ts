import type { AddressInfo } from "node:net";
import { table, unknown } from "@/lib/cli/routes";
import { type ApiReply, readReply } from "@/lib/testing/client";
import { expectDocumented } from "@/lib/testing/documented";
import type { RouteHandlers } from "@/lib/web/http/route";
import { serve } from "@/lib/web/server/serve";

export interface MountRequest {
  method?: string;
  headers?: Record<string, string>;
  /** Text is sent as JSON; bytes are sent without a Content-Type. */
  body?: string | Uint8Array;
}

/** One way to reach the handlers. */
export interface Mount {
  ask(path: string, options?: MountRequest): Promise<ApiReply>;
  close(): Promise<void>;
}

function init({ method = "POST", headers = {}, body }: MountRequest): RequestInit {
  const type: Record<string, string> = typeof body === "string" ? { "content-type": "application/json" } : {};
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const bare = method === "GET" || method === "HEAD" || bytes === undefined;
  return { method, headers: { ...type, ...headers }, ...(!bare && { body: bytes as BodyInit }) };
}

/** Calls the handlers as the App Router does. */
function handlers(): Mount {
  return {
    async ask(path, options = {}) {
      const url = new URL(path, "http://localhost:3000");
      const match = table.find(url.pathname) ?? unknown;
      const handler = (match.module as RouteHandlers)[(options.method ?? "POST") as keyof RouteHandlers];
      const reply = await readReply(await handler(new Request(url, init(options)), { params: match.params }));
      return expectDocumented(options.method ?? "POST", path, reply);
    },
    close: async () => undefined,
  };
}

/** Calls the handlers through our own server, over a socket. */
async function server(): Promise<Mount> {
  const pages = async () => undefined;
  const { server, drain } = await serve({ table, unknown, pages, host: "127.0.0.1", port: 0, hops: 0 });
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
