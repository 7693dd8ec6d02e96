import { randomBytes, randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { table, unknown } from "@/lib/cli/routes";
import { createEndpoint } from "@/lib/outward/webhooks/manage-endpoints";
import { createConnection } from "@/lib/program/connections/create";
import { type ApiReply, clientOf } from "@/lib/testing/client";
import { refer } from "@/lib/testing/confirm";
import { expectDocumented } from "@/lib/testing/documented";
import { MOUNTS, type MountRequest } from "@/lib/testing/http/mounts";
import { exchange } from "@/lib/testing/http/raw-http";
import { makeKey, makeTenant, type Tenant } from "@/lib/testing/tenant";
import { OPERATIONS } from "@/lib/web/openapi/operations";
import { serve } from "@/lib/web/server/serve";

/** The service with a tenant that can serve the requests of the reference's examples. */
export interface ExampleService {
  tenant: Tenant;
  /** The metacode of `user-42`, who has a reward to claim. */
  metacode: string;
  /** A key without scopes, and a key of a workspace without quota. */
  narrow: string;
  poor: string;
  /** The request of an operation's example, signed or with a key. */
  request(id: string): { path: string; ask: MountRequest };
  send(id: string, change?: Change): Promise<ApiReply>;
  /** Sends bytes over a socket of the real server. Fails on an undocumented response. */
  raw(method: string, path: string, bytes: string): Promise<ApiReply>;
  close(): Promise<void>;
}

/** Differences from the example. */
export interface Change {
  key?: string;
  body?: unknown;
  headers?: Record<string, string>;
  method?: string;
  query?: string;
  /** Ids in the path. */
  ids?: Record<string, string>;
}

/** Starts the service; `user-42` of the examples is its referrer. */
export async function startExampleService(): Promise<ExampleService> {
  const tenant = await makeTenant({ threshold: 1, plan: "enterprise" });
  const { metacode } = (await clientOf(tenant.key).referrer("user-42")).body;
  await refer(tenant, metacode, 1);
  const { id: webhookId } = await createEndpoint(tenant.ctx, {
    url: "https://example.com/hook",
    events: ["reward.earned"],
  });
  const connection = await createConnection(tenant.ctx, { provider: "generic" });
  const mount = await MOUNTS.handlers();
  const server = await rawServer();
  const ids = { id: webhookId, provider: "generic", connectionId: connection.id };
  const request = (id: string) => exampleOf(id, ids, tenant.key, connection.secret);
  return {
    tenant,
    metacode,
    request,
    narrow: await makeKey(tenant, []),
    poor: (await makeTenant({ quota: 0 })).key,
    raw: server.raw,
    close: server.close,
    send(id, change = {}) {
      const own = { ...ids, ...change.ids };
      const { path, ask } = exampleOf(id, own, change.key ?? tenant.key, connection.secret, change.body);
      const headers = { "x-forwarded-for": nextAddress(), ...ask.headers, ...change.headers };
      return mount.ask(path + (change.query ?? ""), {
        ...ask,
        ...(change.method && { method: change.method }),
        headers,
      });
    },
  };
}

function exampleOf(
  id: string,
  ids: Record<string, string>,
  key: string,
  secret: string,
  body?: unknown,
): { path: string; ask: MountRequest } {
  const operation = OPERATIONS.find((candidate) => candidate.id === id);
  if (!operation) throw new Error(`no such operation: ${id}`);
  const path = `/api${operation.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "")}`;
  const sent = body ?? operation.body?.example;
  const text = typeof sent === "string" ? sent : JSON.stringify(sent);
  const headers = operation.scope ? { "x-api-key": key } : signed(secret, text ?? "");
  return { path, ask: { method: operation.method.toUpperCase(), headers, ...(text && { body: text }) } };
}

function signed(secret: string, text: string): Record<string, string> {
  const id = `event-${randomUUID()}`;
  const now = new Date();
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, now, text),
  };
}

/** A new address per request, so that failures do not add up to a limit. */
const nextAddress = () => `2001:db8:${randomBytes(2).toString("hex")}:${randomBytes(2).toString("hex")}::1`;

async function rawServer() {
  const pages = async () => undefined;
  const { server, drain } = await serve({ table, unknown, pages, host: "127.0.0.1", port: 0, hops: 0 });
  const { port } = server.address() as AddressInfo;
  const raw = async (method: string, path: string, bytes: string) => {
    const { status, headers, body } = await exchange(port, bytes);
    const reply = { status, headers: new Headers(headers), body: JSON.parse(body) };
    return expectDocumented(method, path, reply);
  };
  return { raw, close: drain };
}
