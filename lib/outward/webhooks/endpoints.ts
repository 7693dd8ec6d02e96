import { and, desc, eq, sql } from "drizzle-orm";
import { isUuid } from "@/lib/contract/fields";
import type { EndpointView } from "@/lib/contract/webhook-events";
import type { DeliveryResponse, WebhookResponse, WebhooksResponse } from "@/lib/contract/webhooks";
import { mayAct, type Role } from "@/lib/contract/workspace";
import { webhookDeliveries, webhookEndpoints } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { LATE_S } from "@/lib/platform/jobs/backlog";
import type { Context } from "@/lib/tenants/context";

/** The columns that pages and the API may show, without secrets. */
export const ENDPOINT_COLUMNS = {
  id: webhookEndpoints.id,
  url: webhookEndpoints.url,
  description: webhookEndpoints.description,
  events: webhookEndpoints.events,
  enabled: webhookEndpoints.enabled,
  disabledReason: webhookEndpoints.disabledReason,
  disabledAt: webhookEndpoints.disabledAt,
  failingSince: webhookEndpoints.failingSince,
  slowedUntil: webhookEndpoints.slowedUntil,
  createdAt: webhookEndpoints.createdAt,
  formerUntil: webhookEndpoints.formerUntil,
};

/** The endpoint of the app with this id. */
export const ownEndpoint = (ctx: Pick<Context, "app">, id: string) =>
  and(eq(webhookEndpoints.appId, ctx.app.id), eq(webhookEndpoints.id, id));

/** The app's endpoints, newest first. Their number is bounded, so they fit on one page. */
export function listEndpoints(ctx: Context): Promise<EndpointView[]> {
  return ctx.db.orm
    .select(ENDPOINT_COLUMNS)
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.appId, ctx.app.id))
    .orderBy(desc(webhookEndpoints.id));
}

/** {@link listEndpoints} for a member: only admins see whole addresses, because a path or query may hold a token. */
export async function listEndpointsFor(ctx: Context, role: Role): Promise<EndpointView[]> {
  const endpoints = await listEndpoints(ctx);
  if (mayAct(role, "admin")) return endpoints;
  return endpoints.map((endpoint) => ({ ...endpoint, url: maskAddress(endpoint.url) }));
}

/** An address without its path and query. */
export const maskAddress = (address: string): string => `${new URL(address).origin}/…`;

/**
 * An endpoint of the app, locked until the transaction ends if it will be updated. Throws NOT_FOUND for an unknown id
 * and for another app's.
 */
export async function getEndpoint(ctx: Context, id: string, lock = false): Promise<EndpointView> {
  if (!isUuid(id)) return fail("NOT_FOUND", "There is no such webhook endpoint");
  const query = ctx.db.orm.select(ENDPOINT_COLUMNS).from(webhookEndpoints).where(ownEndpoint(ctx, id));
  const [row] = await (lock ? query.for("no key update") : query);
  return row ?? fail("NOT_FOUND", "There is no such webhook endpoint");
}

/** An endpoint as the audit log names its subject: its host, because a path may hold a token. */
export function endpointSubject({ id, url }: Pick<EndpointView, "id" | "url">) {
  return { subject: "webhook", subjectId: id, subjectName: new URL(url).host };
}

/** An endpoint as the API shows it. */
export function presentEndpoint(row: EndpointView): WebhookResponse {
  return {
    id: row.id,
    url: withoutSecrets(row.url),
    events: row.events,
    enabled: row.enabled,
    created_at: row.createdAt.toISOString(),
  };
}

/** The endpoints of an app as the API lists them. */
export function presentEndpoints(rows: EndpointView[]): WebhooksResponse {
  return { data: rows.map(presentEndpoint), next_cursor: null };
}

/** An address may carry a password or a token in its query, which a key with `webhook:read` need not learn. */
function withoutSecrets(address: string): string {
  const url = new URL(address);
  url.username = "";
  url.password = "";
  url.search = "";
  return url.href;
}

/** The newest delivery of each endpoint of the app that has one, by the endpoint's id. */
export async function lastDeliveries({ app, db }: Context) {
  const last = db.orm
    .select({ status: webhookDeliveries.status, createdAt: webhookDeliveries.createdAt })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.appId, app.id), eq(webhookDeliveries.endpointId, webhookEndpoints.id)))
    .orderBy(desc(webhookDeliveries.id))
    .limit(1)
    .as("last");
  const rows = await db.orm
    .select({ id: webhookEndpoints.id, status: last.status, createdAt: last.createdAt })
    .from(webhookEndpoints)
    .innerJoinLateral(last, sql`true`)
    .where(eq(webhookEndpoints.appId, app.id));
  return new Map<string, Pick<DeliveryResponse, "status" | "created_at">>(
    rows.map(({ id, status, createdAt }) => [id, { status, created_at: createdAt.toISOString() }]),
  );
}

/**
 * `at`: since when deliveries wait, for `seconds` or, while the alert is open (`known`), for {@link LATE_S}. `slow`: a
 * process sends to the endpoint, or it has been busy for `seconds` and one waits for LATE_S or the alert is open.
 */
export async function findLate({ app, db }: Context, id: string, seconds: number, known: boolean) {
  const own = sql`app_id = ${app.id} and endpoint_id = ${id}`;
  const due = (late: number) => sql`
    from webhook_deliveries where ${own} and status not in ('delivered', 'dead')
     and wake_at <= now() - make_interval(secs => ${late}) order by wake_at limit 1`;
  const parked = sql`from webhook_deliveries where ${own} and parked_at <= now() - make_interval(secs => ${LATE_S}) order by parked_at`;
  const { rows } = await db.orm.execute<{ at: string; slow: boolean }>(sql`
    (select wake_at as at, exists (select from webhook_deliveries where ${own} and leased_until > now()) as slow ${due(known ? LATE_S : seconds)})
    union all
    (select busy_since, true from webhook_endpoints
      where app_id = ${app.id} and id = ${id} and enabled
        and coalesce(failing_since, now()) - busy_since >= make_interval(secs => ${seconds})
        and (${known} or (select true ${parked} limit 1) or (select true ${due(LATE_S)})))
     order by slow, at limit 1`);
  return rows[0];
}
