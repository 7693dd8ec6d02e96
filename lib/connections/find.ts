import { and, eq } from "drizzle-orm";
import { appRef } from "@/lib/apps/ref";
import { type ConnectionRecord, connectionCache } from "@/lib/connections/cache";
import { isUuid } from "@/lib/contract/uuid";
import type { Db } from "@/lib/db/client";
import { isOutage } from "@/lib/db/outage";
import { apps, providerConnections } from "@/lib/db/schema";

/** The enabled connection that an address names, or undefined: unknown, of another provider, or disabled. */
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

/** While the database is away nobody can change a connection: a delivery may still prove itself by what was known. */
function lastKnown(key: string, error: unknown): ConnectionRecord {
  const record = isOutage(error) ? connectionCache().last(key) : undefined;
  if (!record) throw error;
  return record;
}

/** The one look-up without an app: the address carries only the connection, which is how the app becomes known. */
async function load(db: Db, id: string): Promise<ConnectionRecord | undefined> {
  const [row] = await db.orm
    .select({ connection: providerConnections, app: apps })
    .from(providerConnections)
    .innerJoin(apps, eq(apps.id, providerConnections.appId))
    .where(and(eq(providerConnections.id, id), eq(providerConnections.enabled, true)));
  if (!row || row.app.deletedAt) return undefined;
  const { connection, app } = row;
  return {
    id: connection.id,
    provider: connection.provider,
    secret: connection.secret,
    former: formerOf(connection),
    signingSecret: connection.signingSecret,
    ownNames: connection.ownNames,
    app: appRef(app),
    workspaceId: app.workspaceId,
  };
}

type Row = typeof providerConnections.$inferSelect;

function formerOf({ formerSecret, formerUntil }: Row): ConnectionRecord["former"] {
  return formerSecret && formerUntil ? { secret: formerSecret, until: formerUntil.getTime() } : null;
}
