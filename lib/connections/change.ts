import { and, eq, sql } from "drizzle-orm";
import { forgetApp } from "@/lib/apps/forget";
import { recordAudit } from "@/lib/audit/record";
import { type Connection, connectionSubject, toConnection } from "@/lib/connections/connection";
import { getConnection } from "@/lib/connections/list";
import { parseName } from "@/lib/connections/name";
import { type GivenNames, parseOwnNames } from "@/lib/connections/own-names";
import { NO_SECRET, secretOf } from "@/lib/connections/secret";
import { parseSigningSecret } from "@/lib/connections/signing-secret";
import type { Context } from "@/lib/context";
import { GRACE_SECONDS, type Grace } from "@/lib/contract/grace";
import { providerConnections } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { PROVIDERS } from "@/lib/providers/registry";

/**
 * A new secret: ours, or the one that the provider has made. The old one is taken as well until `grace` is over; the
 * one before it no longer is. Throws VALIDATION_ERROR, and CONFLICT for a provider that has none.
 */
export async function rotateConnectionSecret(
  ctx: Context,
  id: string,
  grace: Grace = "now",
  given: string | null = null,
): Promise<Connection> {
  const { provider, secret: old } = await getConnection(ctx, id);
  const { from } = PROVIDERS[provider].adapter.secret;
  if (from === "nobody") fail("CONFLICT", "This provider has no secret");
  const secret = secretOf(provider, given);
  if (secret === NO_SECRET) fail("VALIDATION_ERROR", "Paste the provider's secret", { field: "secret" });
  const former = {
    formerSecret: providerConnections.secret,
    formerUntil: sql`now() + make_interval(secs => ${GRACE_SECONDS[grace]})`,
  };
  const none = { formerSecret: null, formerUntil: null };
  const values = { secret, ...(grace === "now" || old === NO_SECRET ? none : former) };
  return change(ctx, id, values, {
    action: "connection.secret_changed",
    after: { oldSecretWorksFor: grace },
  });
}

/** Demands the provider's second signature with this key, or no longer where it is null or blank. */
export async function setSigningSecret(ctx: Context, id: string, given: string | null): Promise<Connection> {
  const { provider, signed } = await getConnection(ctx, id);
  const signingSecret = parseSigningSecret(provider, given);
  return change(
    ctx,
    id,
    { signingSecret },
    {
      action: "connection.signing_changed",
      before: { signed },
      after: { signed: signingSecret !== null },
    },
  );
}

/** Says what the owner has named otherwise at the provider; read in what comes from now on, and in what is replayed. */
export async function setOwnNames(ctx: Context, id: string, given: GivenNames): Promise<Connection> {
  const before = await getConnection(ctx, id);
  const ownNames = parseOwnNames(before.provider, given);
  const told = { before: { ...before.ownNames }, after: { ...ownNames } };
  return change(ctx, id, { ownNames }, { action: "connection.names_changed", ...told });
}

/** A disabled connection answers 404, as if it were not there. */
export async function setConnectionEnabled(ctx: Context, id: string, enabled: boolean): Promise<Connection> {
  await getConnection(ctx, id);
  return change(ctx, id, { enabled }, { action: enabled ? "connection.enabled" : "connection.disabled" });
}

/** Gives a connection a word of its owner, or the provider's name again. Throws VALIDATION_ERROR. */
export async function renameConnection(ctx: Context, id: string, given: string | null): Promise<Connection> {
  const before = await getConnection(ctx, id);
  const name = parseName(given);
  return change(
    ctx,
    id,
    { name },
    {
      action: "connection.renamed",
      before: { name: before.name },
      after: { name },
    },
  );
}

/** Takes the address away for good. What it sent stays in the log. Throws NOT_FOUND. */
export async function deleteConnection(ctx: Context, id: string): Promise<void> {
  const found = await getConnection(ctx, id);
  await ctx.db.transaction(async (db) => {
    const gone = await db.orm.delete(providerConnections).where(one(ctx, id)).returning();
    if (gone.length === 0) fail("NOT_FOUND", "No connection of this id");
    await recordAudit(db, ctx, { action: "connection.deleted", ...connectionSubject(found) });
  });
  await forgetApp(ctx.app.id);
}

type Values = Parameters<ReturnType<Context["db"]["orm"]["update"]>["set"]>[0];

interface Told {
  action: string;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

const one = (ctx: Context, id: string) =>
  and(eq(providerConnections.appId, ctx.app.id), eq(providerConnections.id, id));

/** Effective on the next delivery in this process, within five seconds in every other one. */
async function change(ctx: Context, id: string, values: Values, told: Told): Promise<Connection> {
  const changed = await ctx.db.transaction(async (db) => {
    const [row] = await db.orm.update(providerConnections).set(values).where(one(ctx, id)).returning();
    if (!row) return fail("NOT_FOUND", "No connection of this id");
    const connection = toConnection(row);
    await recordAudit(db, ctx, { ...told, ...connectionSubject(connection) });
    return connection;
  });
  await forgetApp(ctx.app.id);
  return changed;
}
