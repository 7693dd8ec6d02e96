import { and, inArray, or, type SQL, sql } from "drizzle-orm";
import { auditLog, providerEvents, webhookDeliveries } from "@/lib/platform/db/schema";
import { readWindows } from "@/lib/platform/db/walk";
import type { Context } from "@/lib/tenants/context";

/** Whether one of a list of links, `[{"from", "to"}]`, names a person. */
export const linksName = (links: SQL, uid: string): SQL => sql`(
  ${links} @> jsonb_build_array(jsonb_build_object('from', ${uid}::text))
  or ${links} @> jsonb_build_array(jsonb_build_object('to', ${uid}::text)))`;

/**
 * Whether a provider event names a person: by an id that was read from it, by a link, or, where no id was read, as a whole
 * JSON text of the payload. A delivery that could not be read has no ids, and an event of unknown type neither.
 */
export const eventNames = (uid: string): SQL => sql`(${uid} = any(uids) or ${linksName(sql`links`, uid)}
  or uids = '{}' and strpos(payload #>> '{}', ${JSON.stringify(uid)}) > 0)`;

/** Whether an event's payload lists a person among those who share a subscription, as Adapty's events do. */
export const listsSharing = (uid: string): SQL => sql`payload @> jsonb_build_object(
  'profiles_sharing_access_level', jsonb_build_array(jsonb_build_object('customer_user_id', ${uid}::text)))`;

/**
 * The provider events that name the person or belong to their referrals, the webhook deliveries that name them, and the
 * texts and old metacodes in the audit log about `subjects`: ids of the person's referrer, referrals, rewards.
 */
export async function recordsOf({ app, db, workspace }: Context, uid: string, subjects: string[]) {
  const tenant = sql`app_id = ${app.id}`;
  const [event, sent, audit] = [providerEvents, webhookDeliveries, auditLog];
  const own = or(eventNames(uid), inArray(event.referralId, subjects));
  const { type, verdict, payload, uids, links, confirmation, createdAt: at } = event;
  // The match of an event with another person's referral names that person.
  const matched_by = sql`case when ${inArray(event.referralId, subjects)} then ${event.matchedBy} end`;
  const ids = { event_id: event.eventId, purchase_id: event.purchaseId, uids, links, matched_by };
  const read = { type, verdict, payload, at, occurred_at: event.occurredAt, confirmation, ...ids };
  const named = sql`${uid} in (payload ->> 'uid', payload ->> 'referee_uid', payload ->> 'referrer_uid')`;
  const ownPayload = sql`payload - array(
    select k from unnest(array['uid', 'referee_uid', 'referrer_uid']) k where payload ->> k <> ${uid})`;
  const send = { type: sent.eventType, status: sent.status, payload: ownPayload, at: sent.createdAt };
  const text = sql<string>`coalesce(after ->> 'reason', after ->> 'notes', before ->> 'notes', before ->> 'metacode')`;
  const write = { action: audit.action, text, at: audit.createdAt };
  const about = sql`${text} is not null and ${sql.param([uid, ...subjects])}::text[]
    && array[subject_id, subject_name, after ->> 'uid', before ->> 'referralId', after ->> 'referralId']`;
  const written = { table: "audit_log", tenant: sql`workspace_id = ${workspace.id}` } as const;
  return {
    provider_events: await readWindows(db, { table: "provider_events", tenant }, (within) =>
      db.orm.select(read).from(event).where(and(within, own)).orderBy(event.id),
    ),
    webhook_deliveries: await readWindows(db, { table: "webhook_deliveries", tenant }, (within) =>
      db.orm.select(send).from(sent).where(and(within, named)).orderBy(sent.id),
    ),
    members_texts: await readWindows(db, written, (within) =>
      db.orm
        .select(write)
        .from(audit)
        .where(and(within, tenant, about))
        .orderBy(audit.id),
    ),
  };
}
