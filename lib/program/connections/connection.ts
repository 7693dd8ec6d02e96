import { and, asc, eq, sql } from "drizzle-orm";
import { isUuid } from "@/lib/contract/fields";
import type { ConnectionView, NewSecret } from "@/lib/contract/provider";
import { providerConnections } from "@/lib/platform/db/schema";
import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors";
import { isWaiting } from "@/lib/program/connections/fields";
import { readConnectionSecrets } from "@/lib/program/connections/secrets";
import type { OwnNames } from "@/lib/program/providers/common/adapter";
import { isProvider, PROVIDERS, type ProviderName } from "@/lib/program/providers/registry";
import type { Context } from "@/lib/tenants/context";

/** An app's set-up with one provider, without its secrets. Pages get {@link toConnectionView}. */
export interface Connection {
  id: string;
  provider: ProviderName;
  /** The owner's name for it. */
  name: string | null;
  /** The address that the provider posts to. */
  url: string;
  /** Whether the provider's deliveries carry a secret; Apple signs them with its own key, for the app's IDs. */
  hasSecret: boolean;
  /** Whether the provider's own secret is missing; until it is pasted, every delivery is refused. */
  waiting: boolean;
  /** Whether deliveries must carry the provider's second signature too. */
  signed: boolean;
  /** Whether no key of the environment opens its secrets; until they are entered again every delivery is refused. */
  unreadable: boolean;
  /** Names that the owner chose at the provider. */
  ownNames: OwnNames | null;
  /** Whether purchases in web shops count as well. */
  webPurchases: boolean;
  enabled: boolean;
  createdAt: Date;
  formerUntil: Date | null;
  refusedAt: Date | null;
}

/** A connection with the secret that was just stored: an Authorization value, a signing secret, or empty. */
export interface ConnectionWithSecret extends Connection {
  secret: string;
}

type Row = typeof providerConnections.$inferSelect;

function connectionUrl(provider: string, id: string): string {
  return `${env().APP_URL}/api/providers/${provider}/${id}`;
}

/** Throws where a row names a provider that this version does not support. */
export function toConnection(row: Row): Connection {
  const { id, provider, secret } = row;
  if (!isProvider(provider)) throw new Error(`Connection ${id} is of an unknown provider`);
  return {
    id,
    provider,
    name: row.name,
    url: connectionUrl(provider, id),
    hasSecret: PROVIDERS[provider].adapter.secret.from !== "none",
    waiting: isWaiting(provider, secret),
    signed: row.signingSecret !== null,
    unreadable: readConnectionSecrets(row) === undefined,
    ownNames: row.ownNames,
    webPurchases: row.webPurchases,
    enabled: row.enabled,
    createdAt: row.createdAt,
    formerUntil: row.formerUntil,
    refusedAt: row.refusedAt,
  };
}

/** A connection as a page shows it: without the secret that it may carry. */
export function toConnectionView(connection: Connection): ConnectionView {
  const { secret: _, name, ...rest }: Connection & { secret?: string } = connection;
  return { ...rest, label: name ?? PROVIDERS[rest.provider].label };
}

/** A new secret, to be shown once. A secret that the owner pasted is not shown again. */
export function toNewSecret({ id, url, provider, secret }: ConnectionWithSecret): NewSecret {
  return { id, url, secret: PROVIDERS[provider].adapter.secret.from === "us" ? secret : null };
}

/** A connection as the audit log names its subject. */
export function connectionSubject({ id, name, provider }: Pick<Connection, "id" | "name" | "provider">) {
  return { subject: "connection", subjectId: id, subjectName: name ?? PROVIDERS[provider].label };
}

const { id: rowId, appId } = providerConnections;

/** The app's connections, oldest first. */
export async function listConnections(ctx: Context): Promise<Connection[]> {
  const rows = await ctx.db.orm
    .select()
    .from(providerConnections)
    .where(eq(appId, ctx.app.id))
    .orderBy(asc(rowId));
  return rows.map(toConnection);
}

/** A connection of the app, with its row locked on request. Throws NOT_FOUND. */
export async function getConnection(ctx: Context, connectionId: string, lock = false): Promise<Connection> {
  if (!isUuid(connectionId)) return fail("NOT_FOUND", "There is no such connection");
  const query = ctx.db.orm
    .select()
    .from(providerConnections)
    .where(and(eq(appId, ctx.app.id), eq(rowId, connectionId)));
  const [row] = await (lock ? query.for("no key update") : query);
  return row ? toConnection(row) : fail("NOT_FOUND", "There is no such connection");
}

/** A provider's rhythm shows in this many of its newest events. */
const NEWEST = 20;

/** The times and the outcomes of events, newest first. */
export type LastEvents = Record<"times", number[]> & Record<"verdicts", string[]>;

/** The newest events of each connection, along provider_events_connection. */
export async function lastEvents(ctx: Context, connections: Connection[]): Promise<Map<string, LastEvents>> {
  if (connections.length === 0) return new Map();
  const { rows } = await ctx.db.orm.execute<LastEvents & { id: string }>(sql`
    select c.id, n.times, n.verdicts from unnest(${sql.param(connections.map(({ id }) => id))}::uuid[]) c (id)
     cross join lateral (
       select coalesce(array_agg(extract(epoch from created_at)::float8 * 1000 order by id desc), '{}') as times,
              coalesce(array_agg(verdict order by id desc), '{}') as verdicts
         from (select id, created_at, verdict from provider_events
                where app_id = ${ctx.app.id} and connection_id = c.id order by id desc limit ${NEWEST}) e) n`);
  return new Map(rows.map(({ id, ...events }) => [id, events]));
}
