import { and, eq } from "drizzle-orm";
import { connectionCache } from "@/lib/connections/cache";
import { type Connection, toConnection } from "@/lib/connections/connection";
import { getConnection } from "@/lib/connections/list";
import { parseSigningSecret } from "@/lib/connections/signing-secret";
import type { Context } from "@/lib/context";
import { providerConnections } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { PROVIDERS } from "@/lib/providers/registry";

/** A new secret; the old one stops working, and the provider's retries bridge the time until it knows the new one. */
export async function rotateConnectionSecret(ctx: Context, id: string): Promise<Connection> {
  const { provider } = await getConnection(ctx, id);
  return change(ctx, id, { secret: PROVIDERS[provider].adapter.makeSecret() });
}

/** Demands the provider's second signature with this key, or no longer where it is null or blank. */
export async function setSigningSecret(
  ctx: Context,
  id: string,
  signingSecret: string | null,
): Promise<Connection> {
  const { provider } = await getConnection(ctx, id);
  return change(ctx, id, { signingSecret: parseSigningSecret(provider, signingSecret) });
}

/** A disabled connection answers 404, as if it were not there. */
export async function setConnectionEnabled(ctx: Context, id: string, enabled: boolean): Promise<Connection> {
  await getConnection(ctx, id);
  return change(ctx, id, { enabled });
}

/** Effective on the next delivery in this process, within five seconds in every other one. */
async function change(
  ctx: Context,
  id: string,
  values: { secret?: string; signingSecret?: string | null; enabled?: boolean },
): Promise<Connection> {
  const [row] = await ctx.db.orm
    .update(providerConnections)
    .set(values)
    .where(and(eq(providerConnections.appId, ctx.app.id), eq(providerConnections.id, id)))
    .returning();
  connectionCache().forget(id.toLowerCase());
  return row ? toConnection(row) : fail("NOT_FOUND", "No connection of this id");
}
