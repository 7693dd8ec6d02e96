import { and, asc, eq } from "drizzle-orm";
import { type Connection, toConnection } from "@/lib/connections/connection";
import type { Context } from "@/lib/context";
import { isUuid } from "@/lib/contract/uuid";
import { providerConnections } from "@/lib/db/schema";
import { fail } from "@/lib/errors";

const { id, appId } = providerConnections;

/** The app's connections, the oldest first. */
export async function listConnections(ctx: Context): Promise<Connection[]> {
  const rows = await ctx.db.orm
    .select()
    .from(providerConnections)
    .where(eq(appId, ctx.app.id))
    .orderBy(asc(id));
  return rows.map(toConnection);
}

/** One connection of the app. Throws NOT_FOUND. */
export async function getConnection(ctx: Context, connectionId: string): Promise<Connection> {
  if (!isUuid(connectionId)) return fail("NOT_FOUND", "No connection of this id");
  const [row] = await ctx.db.orm
    .select()
    .from(providerConnections)
    .where(and(eq(appId, ctx.app.id), eq(id, connectionId)));
  return row ? toConnection(row) : fail("NOT_FOUND", "No connection of this id");
}
