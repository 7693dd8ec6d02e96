import { and, eq, sql } from "drizzle-orm";
import { isUuid } from "@/lib/contract/fields";
import { Cache } from "@/lib/platform/cache";
import type { Db } from "@/lib/platform/db/client";
import { isOutage } from "@/lib/platform/db/outage";
import { apps, providerConnections } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { singleton } from "@/lib/platform/singleton";
import { readConnectionSecrets } from "@/lib/program/connections/secrets";
import type { OwnNames } from "@/lib/program/providers/common/adapter";
import { appRef } from "@/lib/tenants/apps/app";
import { onAppChange } from "@/lib/tenants/apps/forget";
import type { AppRef } from "@/lib/tenants/context";

/** Maximum delay before a change in another process is noticed here. */
const TTL_MS = 5_000;

/** Unknown ids are cached too, so that guessing ids does not query the database each time; hence the bound. */
const CAPACITY = 10_000;

/** The part of a connection that a delivery needs. */
export interface ConnectionRecord {
  id: string;
  provider: string;
  secret: string;
  /** The previous secret and when its grace period ends, in the time of `performance.now()`: an outage may outlast it. */
  former: { secret: string; until: number } | null;
  signingSecret: string | null;
  ownNames: OwnNames | null;
  webPurchases: boolean;
  app: AppRef;
  workspaceId: string;
}

/** The process's recently used connections by id; disabled and unknown ones as undefined. */
export const connectionCache = () =>
  singleton("connection-cache", () => {
    const cache = new Cache<ConnectionRecord | undefined>(TTL_MS, CAPACITY);
    // Includes misses, because a restored app's connections must be found again.
    onAppChange((appId) => cache.forgetWhere((record) => !record || record.app.id === appId));
    return cache;
  });

/** The enabled connection of an address; undefined if it is unknown, disabled or of another provider. */
export async function findConnection(
  db: Db,
  provider: string,
  id: string,
): Promise<ConnectionRecord | undefined> {
  if (!isUuid(id)) return undefined;
  const key = id.toLowerCase();
  const record = await connectionCache()
    .get(key, () => load(db, key))
    .catch((error: unknown) => lastKnown(key, error));
  return record?.provider === provider ? record : undefined;
}

/** During an outage no connection can change, so the last known record can authenticate a delivery. */
function lastKnown(key: string, error: unknown): ConnectionRecord {
  const record = isOutage(error) ? connectionCache().last(key) : undefined;
  if (!record) throw error;
  return record;
}

/** Seconds left of the previous secret's grace period, by the database's clock: a process's may be wrong by hours. */
const graceLeft = sql<number>`coalesce(extract(epoch from ${providerConnections.formerUntil} - now()), 0)::float8`;

/**
 * The only query without an app id: the address names only the connection, which names the app. Throws
 * SERVICE_UNAVAILABLE if a secret cannot be read, so that providers retry.
 */
async function load(db: Db, id: string): Promise<ConnectionRecord | undefined> {
  const [row] = await db.orm
    .select({ connection: providerConnections, graceLeft, app: apps })
    .from(providerConnections)
    .innerJoin(apps, eq(apps.id, providerConnections.appId))
    .where(and(eq(providerConnections.id, id), eq(providerConnections.enabled, true)));
  if (!row || row.app.deletedAt) return undefined;
  const { connection, app } = row;
  const secrets = readConnectionSecrets(connection);
  if (!secrets) {
    const cause = new Error("the key that sealed it is missing");
    return fail("SERVICE_UNAVAILABLE", "The connection's secret cannot be read", { retryAfter: 60, cause });
  }
  const { secret, signingSecret, formerSecret } = secrets;
  return {
    id: connection.id,
    provider: connection.provider,
    secret,
    former: formerSecret ? { secret: formerSecret, until: performance.now() + row.graceLeft * 1_000 } : null,
    signingSecret,
    ownNames: connection.ownNames,
    webPurchases: connection.webPurchases,
    app: appRef(app),
    workspaceId: app.workspaceId,
  };
}
