import { REFUSED_BODY } from "@/lib/contract/error-help";
import { type Db, database } from "@/lib/platform/db/client";
import { AppError, fail } from "@/lib/platform/errors";
import { takeDelivery } from "@/lib/program/confirmations/take-delivery";
import type { ConnectionRecord } from "@/lib/program/connections/find";
import { findConnection } from "@/lib/program/connections/find";
import { noteRefusal, provenDelivery } from "@/lib/program/connections/prove";
import type { Adapter, Delivery } from "@/lib/program/providers/common/adapter";
import { isProvider, PROVIDERS } from "@/lib/program/providers/registry";
import type { Context } from "@/lib/tenants/context";
import { unmetered } from "@/lib/tenants/quota/meter";
import type { RouteAnswer } from "@/lib/web/http/answer";
import { failedAttempt } from "@/lib/web/http/authenticate";
import { readBytes } from "@/lib/web/http/body";
import { type ApiExchange, type RouteHandlers, route } from "@/lib/web/http/route";

/** Some providers send the whole customer with an event; 256 KiB is a hundred times what RevenueCat documents. */
export const MAX_DELIVERY_BYTES = 256 * 1024;

/**
 * The route that providers post to, `/api/providers/<provider>/<connection id>`: the API's frame, with the provider's
 * own proof in place of a key. Only failed proofs count against an address, because all apps share a provider's addresses.
 */
export function providerEndpoint(): RouteHandlers {
  return route({ POST: receive });
}

async function receive(exchange: ApiExchange): Promise<RouteAnswer> {
  const db = database();
  const { adapter, connection } = await target(exchange, db);
  exchange.caller = { app: connection.app.id, connection: connection.id };
  const delivery = await prove(exchange, connection);
  const ctx = contextOf(exchange, db, connection);
  const { status, matched, type } = await takeDelivery(ctx, connection.id, adapter, delivery);
  exchange.caller = { ...exchange.caller, event: type, verdict: status };
  return { status: 200, body: { status, matched } };
}

/** The connection of the path. Throws the same NOT_FOUND for an unknown, a disabled and another provider's connection. */
async function target(
  exchange: ApiExchange,
  db: Db,
): Promise<{ adapter: Adapter; connection: ConnectionRecord }> {
  const [provider, connectionId] = [String(exchange.params.provider), String(exchange.params.connectionId)];
  if (isProvider(provider)) {
    const connection = await findConnection(db, provider, connectionId);
    if (connection) return { adapter: PROVIDERS[provider].adapter, connection };
  }
  await failedAttempt(exchange);
  return fail("NOT_FOUND", "There is no such provider connection");
}

/** The delivery with a valid proof. A body that cannot be read has none, and counts as a failed proof. */
async function prove(exchange: ApiExchange, connection: ConnectionRecord): Promise<Delivery> {
  try {
    const rawBody = await readBytes(exchange.request, MAX_DELIVERY_BYTES).catch((error: unknown) => {
      // An interrupted request is not the fault of a setting.
      if (error instanceof AppError && error.code in REFUSED_BODY) noteRefusal(connection);
      throw error;
    });
    return await provenDelivery(connection, { headers: exchange.request.headers, rawBody });
  } catch (error) {
    await failedAttempt(exchange);
    // Lists the refusal in the request log, because the sender knows only its request id.
    exchange.key = connection;
    throw error;
  }
}

function contextOf(exchange: ApiExchange, db: Db, connection: ConnectionRecord): Context {
  return {
    app: connection.app,
    workspace: { id: connection.workspaceId },
    actor: { kind: "provider", id: connection.id },
    db,
    requestId: exchange.requestId,
    meter: unmetered,
  };
}
