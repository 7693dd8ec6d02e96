import { eq } from "drizzle-orm";
import { expect } from "vitest";
import { database } from "@/lib/platform/db/client";
import { apps } from "@/lib/platform/db/schema";
import type { Connection } from "@/lib/program/connections/connection";
import { createConnection } from "@/lib/program/connections/create";
import { PROVIDERS, type ProviderName } from "@/lib/program/providers/registry";
import { readReply } from "@/lib/testing/client";
import { expectDocumented } from "@/lib/testing/documented";
import { confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { SECRET, STORE_APP, signedSample } from "@/lib/testing/provider-events/samples";
import { providerEndpoint } from "@/lib/web/http/provider-endpoint";

const { POST } = providerEndpoint();

interface SentDelivery {
  headers?: Record<string, string>;
  body?: unknown;
  from?: string;
  provider?: string;
  id?: string;
}

/** Posts to a connection's address as the router does; bytes and texts are sent unchanged. */
export async function postDelivery(
  connection: Connection,
  { headers, body, from = "192.0.2.1", ...target }: SentDelivery,
) {
  const { provider = connection.provider, id: connectionId = connection.id } = target;
  const asIs = typeof body === "string" || body instanceof Uint8Array;
  const init = { "content-type": "application/json", "x-forwarded-for": from, ...headers };
  const text = asIs ? (body as string) : JSON.stringify(body);
  const request = new Request(connection.url, { method: "POST", headers: init, body: text });
  const response = await POST(request, { params: Promise.resolve({ provider, connectionId }) });
  for (const name of ["limit", "remaining", "reset"]) {
    expect(response.headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
  }
  expect(response.headers.get("x-request-id")).toBeTruthy();
  return expectDocumented("POST", connection.url, await readReply(response));
}

/** An app with a RevenueCat connection, and a sender that knows its secret. */
export async function connectedApp(options: Parameters<typeof confirmingApp>[1] = {}) {
  const app = await confirmingApp(database(), options);
  const connection = await createConnection(app.ctx, { provider: "revenuecat" });
  const send = (body: unknown, rest: SentDelivery = {}) =>
    postDelivery(connection, { body, headers: { authorization: connection.secret }, ...rest });
  return { app, connection, send };
}

/** The whole answer to an accepted delivery. */
export const okReply = (status: string, matched: boolean) =>
  expect.objectContaining({ status: 200, body: { status, matched } });

/** A sandbox app with a connection to a provider, and a sender of that provider's samples with their proof. */
export async function connectedTo(provider: ProviderName, options: Parameters<typeof confirmingApp>[1] = {}) {
  const app = await confirmingApp(database(), { sandbox: true, ...options });
  const { appleAppId, iosBundleId } = STORE_APP;
  await database().orm.update(apps).set({ appleAppId, iosBundleId }).where(eq(apps.id, app.ctx.app.id));
  const isPasted = PROVIDERS[provider].adapter.secret.from === "provider";
  const connection = await createConnection(app.ctx, { provider, ...(isPasted && { secret: SECRET }) });
  const send = (wanted: Parameters<typeof signedSample>[1] = {}, headers: Record<string, string> = {}) => {
    const sent = signedSample(provider, { secret: connection.secret, ...wanted });
    const proof = Object.fromEntries(sent.headers);
    return postDelivery(connection, { body: sent.rawBody, headers: { ...proof, ...headers } });
  };
  return { app, connection, send };
}
