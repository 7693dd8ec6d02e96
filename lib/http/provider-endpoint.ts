import { takeDelivery } from "@/lib/confirmations/take-delivery";
import type { ConnectionRecord } from "@/lib/connections/cache";
import { findConnection } from "@/lib/connections/find";
import { provenDelivery } from "@/lib/connections/prove";
import type { Context } from "@/lib/context";
import { type Db, database } from "@/lib/db/client";
import { fail } from "@/lib/errors";
import type { Answer } from "@/lib/http/answer";
import { failedAttempt } from "@/lib/http/authenticate";
import { readBytes } from "@/lib/http/body";
import { type Exchange, type Handlers, route } from "@/lib/http/route";
import type { Adapter, Delivery } from "@/lib/providers/adapter";
import { isProvider, PROVIDERS } from "@/lib/providers/registry";
import { unmetered } from "@/lib/quota/meter";

/** Providers send a whole customer with an event; 256 KiB is a hundred times what RevenueCat documents. */
export const MAX_DELIVERY_BYTES = 256 * 1024;

/**
 * The address providers post to, `/api/providers/<provider>/<connection id>`: the same frame as the API's, with the
 * provider's own proof in place of a key. Only failed proofs count against an address: providers share theirs.
 */
export function providerEndpoint(): Handlers {
  return route({ POST: receive });
}

async function receive(exchange: Exchange): Promise<Answer> {
  const db = database();
  const { adapter, connection } = await target(exchange, db);
  exchange.who = { app: connection.app.id, connection: connection.id };
  const rawBody = await readBytes(exchange.request, MAX_DELIVERY_BYTES);
  const delivery = await prove(exchange, connection, rawBody);
  const ctx = contextOf(exchange, db, connection);
  const { status, matched, type } = await takeDelivery(ctx, connection.id, adapter, delivery);
  exchange.who = { ...exchange.who, event: type, verdict: status };
  return { status: 200, body: { status, matched } };
}

/** The connection of the address; NOT_FOUND is one answer for unknown, disabled and another provider's. */
async function target(
  exchange: Exchange,
  db: Db,
): Promise<{ adapter: Adapter; connection: ConnectionRecord }> {
  const [provider, connectionId] = [String(exchange.params.provider), String(exchange.params.connectionId)];
  if (isProvider(provider)) {
    const connection = await findConnection(db, provider, connectionId);
    if (connection) return { adapter: PROVIDERS[provider].adapter, connection };
  }
  await failedAttempt(exchange);
  return fail("NOT_FOUND", "No provider connection at this address");
}

async function prove(
  exchange: Exchange,
  connection: ConnectionRecord,
  rawBody: Uint8Array,
): Promise<Delivery> {
  try {
    return await provenDelivery(connection, { headers: exchange.request.headers, rawBody });
  } catch (error) {
    await failedAttempt(exchange);
    throw error;
  }
}

function contextOf(exchange: Exchange, db: Db, connection: ConnectionRecord): Context {
  return {
    app: connection.app,
    workspace: { id: connection.workspaceId },
    actor: { kind: "provider", id: connection.id },
    db,
    requestId: exchange.requestId,
    meter: unmetered,
  };
}
