import { and, eq, sql } from "drizzle-orm";
import { databaseNow } from "@/lib/platform/db/chunks";
import type { Db } from "@/lib/platform/db/client";
import { isOutage } from "@/lib/platform/db/outage";
import { connectionRefusals, providerConnections } from "@/lib/platform/db/schema";
import { AppError, fail } from "@/lib/platform/errors";
import { markRounds } from "@/lib/platform/jobs/rounds";
import { singleton } from "@/lib/platform/singleton";
import { unreadableApps } from "@/lib/program/confirmations/take-delivery";
import { isWaiting } from "@/lib/program/connections/fields";
import type { ConnectionRecord } from "@/lib/program/connections/find";
import type { Delivery, Readable } from "@/lib/program/providers/common/adapter";
import { isProvider, PROVIDERS } from "@/lib/program/providers/registry";

/**
 * Checks a delivery's proof with the connection's secret and, during a grace period, the previous one. Throws
 * UNAUTHORIZED and notes the refusal for the connection's owner.
 */
export async function provenDelivery(connection: ConnectionRecord, received: Readable): Promise<Delivery> {
  const { provider, signingSecret, former, app, ownNames, webPurchases } = connection;
  if (!isProvider(provider)) throw new Error("unknown provider");
  const inGrace = former && performance.now() < former.until;
  const secrets = inGrace ? [connection.secret, former.secret] : [connection.secret];
  if (isWaiting(provider, connection.secret)) {
    noteRefusal(connection);
    return fail(
      "UNAUTHORIZED",
      "The provider's secret has not been entered yet, so no delivery can be verified",
    );
  }
  const known = { signingSecret, app, ownNames, webPurchases, now: databaseNow() };
  const candidates = secrets.map((secret) => ({ ...received, ...known, secret }));
  const refusals = await Promise.all(
    candidates.map((delivery) => refusalOf(async () => PROVIDERS[provider].adapter.authenticate(delivery))),
  );
  const proven = candidates.find((_, index) => refusals[index] === undefined);
  if (proven) return proven;
  noteRefusal(connection);
  throw refusals[0];
}

async function refusalOf(authenticate: () => Promise<void>): Promise<AppError | undefined> {
  try {
    await authenticate();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

interface Refusal {
  appId: string;
  at: Date;
  deliveries: number;
}

/** The refused deliveries of each connection; one entry per connection bounds a flood. */
const refusals = () => singleton("connection-refusals", () => new Map<string, Refusal>());

/** Notes a delivery without valid proof, or whose body is not read; {@link flushRefusals} stores it, not the request. */
export function noteRefusal({ id, app }: { id: string; app: { id: string } }): void {
  const deliveries = (refusals().get(id)?.deliveries ?? 0) + 1;
  refusals().set(id, { appId: app.id, at: new Date(databaseNow()), deliveries });
}

/**
 * Stores the refused deliveries of each connection, by hour, and the time of the last one; marks the apps with unreadable
 * deliveries for a check. During an outage the entries stay noted.
 */
export async function flushRefusals(db: Db): Promise<void> {
  const pending = [...refusals()];
  refusals().clear();
  let failure: unknown;
  for (const [id, refusal] of pending) {
    const row = and(eq(providerConnections.appId, refusal.appId), eq(providerConnections.id, id));
    try {
      await db.orm.update(providerConnections).set({ refusedAt: refusal.at }).where(row);
      await storeRefusals(db, id, refusal);
    } catch (error) {
      failure = error;
      if (isOutage(error)) returnRefusal(id, refusal);
    }
  }
  await checkUnreadable(db);
  if (failure) throw failure;
}

/** Marks the apps with unreadable deliveries for a check, together once a second. */
async function checkUnreadable(db: Db): Promise<void> {
  const ids = [...unreadableApps()];
  if (ids.length === 0) return;
  unreadableApps().clear();
  const changes = sql`select app_id, now() as at from unnest(${sql.param(ids)}::uuid[]) app_id`;
  await markRounds(db, "checks", changes).catch((error: unknown) => {
    for (const id of ids) unreadableApps().add(id);
    throw error;
  });
}

async function storeRefusals(
  db: Db,
  connectionId: string,
  { appId, at, deliveries }: Refusal,
): Promise<void> {
  const { hour, deliveries: stored, lastAt } = connectionRefusals;
  await db.orm
    .insert(connectionRefusals)
    .values({
      appId,
      connectionId,
      hour: sql`date_trunc('hour', ${at}::timestamptz)`,
      deliveries,
      lastAt: at,
    })
    .onConflictDoUpdate({
      target: [connectionRefusals.appId, connectionRefusals.connectionId, hour],
      set: { deliveries: sql`${stored} + ${deliveries}`, lastAt: sql`greatest(${lastAt}, excluded.last_at)` },
    });
}

/** Returns refusals that could not be stored during an outage to the map, which may already hold later ones. */
function returnRefusal(id: string, refusal: Refusal): void {
  const since = refusals().get(id);
  const deliveries = refusal.deliveries + (since?.deliveries ?? 0);
  refusals().set(id, { ...refusal, at: since?.at ?? refusal.at, deliveries });
}
