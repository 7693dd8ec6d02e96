import { and, eq, sql } from "drizzle-orm";
import { GRACE_SECONDS, type Grace } from "@/lib/contract/grace";
import { ownNamesText } from "@/lib/contract/provider";
import { providerConnections } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import {
  type Connection,
  type ConnectionWithSecret,
  connectionSubject,
  getConnection,
  toConnection,
  toConnectionView,
} from "@/lib/program/connections/connection";
import {
  generateConnectionSecret,
  NO_SECRET,
  type OwnNamesInput,
  parseConnectionName,
  parseOwnNames,
  parseSigningSecret,
} from "@/lib/program/connections/fields";
import { sealConnectionSecret } from "@/lib/program/connections/secrets";
import { PROVIDERS } from "@/lib/program/providers/registry";
import { forgetApp } from "@/lib/tenants/apps/forget";
import { refuseUndoing } from "@/lib/tenants/audit/changes";
import { type AuditEntry, recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";

/**
 * Replaces the secret with a newly generated one, or with the provider's. The old one is also accepted during
 * `grace` if it can be read; any earlier one no longer is. Throws VALIDATION_ERROR, and CONFLICT for a provider without secrets.
 */
export async function rotateConnectionSecret(
  ctx: Context,
  id: string,
  grace: Grace = "now",
  input: string | null = null,
): Promise<ConnectionWithSecret> {
  const { provider, waiting, unreadable } = await getConnection(ctx, id);
  const { from } = PROVIDERS[provider].adapter.secret;
  if (from === "none") fail("CONFLICT", "This provider has no secret");
  const secret = generateConnectionSecret(provider, input);
  if (secret === NO_SECRET) fail("VALIDATION_ERROR", "Paste the provider's secret", { field: "secret" });
  const keepsFormer = grace !== "now" && !waiting && !unreadable;
  const values = {
    secret: sealConnectionSecret(secret, id),
    formerSecret: keepsFormer ? providerConnections.secret : null,
    formerUntil: keepsFormer ? sql`now() + make_interval(secs => ${GRACE_SECONDS[grace]})` : null,
  };
  const connection = await update(ctx, id, values, {
    action: "connection.secret_changed",
    after: { oldSecretWorksFor: grace },
  });
  return { ...connection, secret };
}

/** Requires the provider's second signature with this key; null or blank stops requiring it. */
export async function updateSigningSecret(
  ctx: Context,
  id: string,
  input: string | null,
): Promise<Connection> {
  const { provider, signed } = await getConnection(ctx, id);
  const signingSecret = parseSigningSecret(provider, input);
  const audit: ConnectionChange = {
    action: "connection.signing_changed",
    before: { signed },
    after: { signed: signingSecret !== null },
  };
  return update(ctx, id, { signingSecret: signingSecret && sealConnectionSecret(signingSecret, id) }, audit);
}

/** Stores the owner's custom names, which apply to later deliveries and to replays. Throws VALIDATION_ERROR, CONFLICT. */
export async function updateOwnNames(ctx: Context, id: string, input: OwnNamesInput): Promise<Connection> {
  return updateLocked(ctx, id, async (scope, { provider, ownNames: before }) => {
    const ownNames = parseOwnNames(provider, input);
    await refuseUndoing(scope, id, ownNamesText(before), ownNamesText(ownNames));
    const audit = { before: { ...before }, after: { ...ownNames } };
    return [{ ownNames }, { action: "connection.names_changed", ...audit }];
  });
}

/**
 * Sets whether purchases in web shops count, from the next delivery or replay on. Throws CONFLICT for a provider whose
 * events name no store.
 */
export async function updateWebPurchases(
  ctx: Context,
  id: string,
  webPurchases: boolean,
): Promise<Connection> {
  const before = await getConnection(ctx, id);
  if (!PROVIDERS[before.provider].webPurchases) {
    fail("CONFLICT", "The events of this provider do not name a store");
  }
  const audit: ConnectionChange = {
    action: "connection.web_purchases_changed",
    before: { counted: before.webPurchases },
    after: { counted: webPurchases },
  };
  return update(ctx, id, { webPurchases }, audit);
}

/** Enables a connection again. Throws NOT_FOUND. */
export async function enableConnection(ctx: Context, id: string): Promise<Connection> {
  await getConnection(ctx, id);
  return update(ctx, id, { enabled: true }, { action: "connection.enabled" });
}

/** Disables a connection: its address answers 404, like an unknown one. Throws NOT_FOUND. */
export async function disableConnection(ctx: Context, id: string): Promise<Connection> {
  await getConnection(ctx, id);
  return update(ctx, id, { enabled: false }, { action: "connection.disabled" });
}

/** Renames a connection; null or blank restores the provider's name. Throws VALIDATION_ERROR, CONFLICT. */
export async function renameConnection(ctx: Context, id: string, input: string | null): Promise<Connection> {
  const name = parseConnectionName(input);
  return updateLocked(ctx, id, async (scope, before) => {
    // As the form shows it: by the provider's name where it has none.
    const shown = (connection: Connection) => ({ name: toConnectionView(connection).label });
    await refuseUndoing(scope, id, shown(before), shown({ ...before, name }));
    return [{ name }, { action: "connection.renamed", before: { name: before.name }, after: { name } }];
  });
}

/** Deletes a connection and its address permanently; its events stay in the log. Throws NOT_FOUND. */
export async function deleteConnection(ctx: Context, id: string): Promise<void> {
  const found = await getConnection(ctx, id);
  await ctx.db.transaction(async (db) => {
    const deleted = await db.orm.delete(providerConnections).where(ownRow(ctx, id)).returning();
    if (deleted.length === 0) fail("NOT_FOUND", "There is no such connection");
    await recordAudit(db, ctx, { action: "connection.deleted", ...connectionSubject(found) });
  });
  await forgetApp(ctx.app.id);
}

type Values = Parameters<ReturnType<Context["db"]["orm"]["update"]>["set"]>[0];

type ConnectionChange = Pick<AuditEntry, "action" | "before" | "after">;

const ownRow = (ctx: Context, id: string) =>
  and(eq(providerConnections.appId, ctx.app.id), eq(providerConnections.id, id));

/** Runs a change that depends on the stored connection, whose row it locks. */
async function updateLocked(
  ctx: Context,
  id: string,
  change: (scope: Context, before: Connection) => Promise<[Values, ConnectionChange]>,
): Promise<Connection> {
  const updated = await ctx.db.transaction(async (db) => {
    const scope = { ...ctx, db };
    return store(scope, id, ...(await change(scope, await getConnection(scope, id, true))));
  });
  await forgetApp(ctx.app.id);
  return updated;
}

/** Takes effect on the next delivery in this process, and within five seconds in every other process. */
async function update(
  ctx: Context,
  id: string,
  values: Values,
  audit: ConnectionChange,
): Promise<Connection> {
  const updated = await ctx.db.transaction((db) => store({ ...ctx, db }, id, values, audit));
  await forgetApp(ctx.app.id);
  return updated;
}

async function store(ctx: Context, id: string, values: Values, audit: ConnectionChange): Promise<Connection> {
  const { orm } = ctx.db;
  const [row] = await orm.update(providerConnections).set(values).where(ownRow(ctx, id)).returning();
  if (!row) return fail("NOT_FOUND", "There is no such connection");
  const connection = toConnection(row);
  await recordAudit(ctx.db, ctx, { ...audit, ...connectionSubject(connection) });
  return connection;
}
