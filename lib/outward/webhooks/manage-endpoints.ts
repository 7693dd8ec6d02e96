import { sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { GRACE_SECONDS, type Grace } from "@/lib/contract/grace";
import { keysOf, pick } from "@/lib/contract/pick";
import type { EndpointView } from "@/lib/contract/webhook-events";
import {
  ENDPOINT_COLUMNS,
  endpointSubject,
  getEndpoint,
  listEndpoints,
  ownEndpoint,
} from "@/lib/outward/webhooks/endpoints";
import { type EndpointInput, endpointInput } from "@/lib/outward/webhooks/input";
import { WAKE_WEBHOOKS } from "@/lib/outward/webhooks/queue";
import { readEndpointSecrets, sealEndpointSecret } from "@/lib/outward/webhooks/sign";
import type { Db } from "@/lib/platform/db/client";
import { webhookEndpoints } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { parseInput } from "@/lib/platform/parse-input";
import { generateWebhookSecret } from "@/lib/platform/secrets/random-token";
import { lockApp } from "@/lib/tenants/apps/app";
import { refuseUndoing } from "@/lib/tenants/audit/changes";
import { type AuditEntry, recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";

/** Every event goes to every endpoint that wants it, so their number is bounded. */
export const MAX_ENDPOINTS = 20;

/** An endpoint's id and its secret, which is shown in this response only. */
interface EndpointSecret {
  id: string;
  secret: string;
}

/** Adds a webhook endpoint. Throws VALIDATION_ERROR, and CONFLICT beyond {@link MAX_ENDPOINTS}. */
export async function createEndpoint(ctx: Context, input: EndpointInput): Promise<EndpointSecret> {
  const { url, description, events } = parseInput(endpointInput, input);
  const created = { id: uuidv7(), secret: generateWebhookSecret() };
  await ctx.db.transaction(async (db) => {
    await lockApp({ ...ctx, db });
    const existing = await listEndpoints({ ...ctx, db });
    if (existing.length >= MAX_ENDPOINTS)
      fail("CONFLICT", `An app can have at most ${MAX_ENDPOINTS} endpoints`);
    await db.orm.insert(webhookEndpoints).values({
      id: created.id,
      appId: ctx.app.id,
      url,
      description: description || null,
      events,
      secret: sealEndpointSecret(created.secret, created.id),
    });
    const subject = endpointSubject({ id: created.id, url });
    await recordAudit(db, ctx, { action: "webhook.created", ...subject, after: { events } });
  });
  return created;
}

/** Updates address, description and events of an endpoint. Throws VALIDATION_ERROR, NOT_FOUND, CONFLICT. */
export async function updateEndpoint(ctx: Context, id: string, input: EndpointInput): Promise<EndpointView> {
  const { description, ...settings } = parseInput(endpointInput, input);
  const values = { ...settings, description: description || null };
  return ctx.db.transaction(async (db) => {
    const inTransaction = { ...ctx, db };
    const before = await getEndpoint(inTransaction, id, true);
    await refuseUndoing(inTransaction, id, pick(before, keysOf(values)), values);
    return store(inTransaction, id, values, {
      action: "webhook.changed",
      before: auditedSettings(before),
      // Leaves out the address, but shows that it changed.
      after: { ...auditedSettings(values), ...(values.url !== before.url && { url: "changed" }) },
    });
  });
}

type Settings = Pick<EndpointView, keyof EndpointInput>;

/** Every setting as the audit log stores it: the host in place of the address, whose path may hold a token. */
function auditedSettings(endpoint: Settings) {
  const { url, ...others } = pick(endpoint, keysOf(endpointInput.shape));
  return { host: new URL(url).host, ...others };
}

/** Sends events again. Events from the disabled period are not sent; deliveries that waited before it continue. */
export async function enableEndpoint(ctx: Context, id: string): Promise<EndpointView> {
  await getEndpoint(ctx, id);
  const healthy = { failures: 0, failingSince: null, slowedUntil: null, warnedAt: null, busySince: null };
  const values = { enabled: true, ...healthy, disabledReason: null, disabledAt: null };
  const endpoint = await store(ctx, id, values, { action: "webhook.enabled" });
  // Runs after the commit, because a worker that finishes a delivery locks it before its endpoint. Two are woken
  // here; the others follow.
  await ctx.db.call(WAKE_WEBHOOKS, { app: ctx.app.id, endpoint: id, limit: 2, at: null });
  return endpoint;
}

/** Sends no events until the endpoint is enabled again. Throws NOT_FOUND. */
export async function disableEndpoint(ctx: Context, id: string): Promise<EndpointView> {
  await getEndpoint(ctx, id);
  const values = { enabled: false, disabledReason: "owner", disabledAt: sql`now()` };
  return store(ctx, id, values, { action: "webhook.disabled" });
}

/** Generates a new secret. During `grace` deliveries are signed with both, if the old one can be read. */
export async function rotateEndpointSecret(ctx: Context, id: string, grace: Grace): Promise<EndpointSecret> {
  await getEndpoint(ctx, id);
  const [stored] = await ctx.db.orm
    .select({ secret: webhookEndpoints.secret })
    .from(webhookEndpoints)
    .where(ownEndpoint(ctx, id));
  const keepsFormer =
    grace !== "now" && stored && readEndpointSecrets({ ...stored, former_secret: null }, id);
  const secret = generateWebhookSecret();
  const former = {
    formerSecret: webhookEndpoints.secret,
    formerUntil: sql`now() + make_interval(secs => ${GRACE_SECONDS[grace]})`,
  };
  const none = { formerSecret: null, formerUntil: null };
  const values = { secret: sealEndpointSecret(secret, id), ...(keepsFormer ? former : none) };
  await store(ctx, id, values, { action: "webhook.secret_changed", after: { oldSecretSignsFor: grace } });
  return { id, secret };
}

/** Deletes an endpoint and its secret. Throws NOT_FOUND. */
export async function deleteEndpoint(ctx: Context, id: string): Promise<void> {
  const endpoint = await getEndpoint(ctx, id);
  await ctx.db.transaction(async (db) => {
    const deleted = await db.orm
      .delete(webhookEndpoints)
      .where(ownEndpoint(ctx, id))
      .returning({ id: webhookEndpoints.id });
    if (deleted.length === 0) fail("NOT_FOUND", "There is no such webhook endpoint");
    await recordAudit(db, ctx, { action: "webhook.deleted", ...endpointSubject(endpoint) });
  });
}

type Values = Parameters<ReturnType<Db["orm"]["update"]>["set"]>[0];

type EndpointChange = Pick<AuditEntry, "action" | "before" | "after">;

/** Updates the row and writes the audit entry in one transaction. Throws NOT_FOUND. */
function store(ctx: Context, id: string, values: Values, change: EndpointChange): Promise<EndpointView> {
  return ctx.db.transaction(async (db) => {
    const [row] = await db.orm
      .update(webhookEndpoints)
      .set(values)
      .where(ownEndpoint(ctx, id))
      .returning(ENDPOINT_COLUMNS);
    if (!row) return fail("NOT_FOUND", "There is no such webhook endpoint");
    await recordAudit(db, ctx, { ...change, ...endpointSubject(row) });
    return row;
  });
}
