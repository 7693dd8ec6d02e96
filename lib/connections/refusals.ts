import { and, eq } from "drizzle-orm";
import type { Db } from "@/lib/db/client";
import { isOutage } from "@/lib/db/outage";
import { providerConnections } from "@/lib/db/schema";
import { shared } from "@/lib/shared";

interface Refusal {
  appId: string;
  at: Date;
}

/** The last refused delivery of each connection, at most one a connection however many come. */
const refusals = () => shared("connection-refusals", () => new Map<string, Refusal>());

/** Remembers that a delivery came without the right proof; written by {@link flushRefusals}, never by the request. */
export function noteRefusal({ id, app }: { id: string; app: { id: string } }): void {
  refusals().set(id, { appId: app.id, at: new Date() });
}

/** Writes when each connection last refused a delivery. While the database is away they stay noted. */
export async function flushRefusals(db: Db): Promise<void> {
  const taken = [...refusals()];
  refusals().clear();
  let failure: unknown;
  for (const [id, refusal] of taken) {
    const own = and(eq(providerConnections.appId, refusal.appId), eq(providerConnections.id, id));
    try {
      await db.orm.update(providerConnections).set({ refusedAt: refusal.at }).where(own);
    } catch (error) {
      failure = error;
      if (isOutage(error) && !refusals().has(id)) refusals().set(id, refusal);
    }
  }
  if (failure) throw failure;
}
