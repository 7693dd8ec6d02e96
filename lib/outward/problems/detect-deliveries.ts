import { and, asc, isNull, sql } from "drizzle-orm";
import { formatDateTime } from "@/lib/contract/format";
import type { Problem } from "@/lib/outward/problems/problem";
import { SCHEDULE } from "@/lib/outward/webhooks/schedule";
import { readEndpointSecrets } from "@/lib/outward/webhooks/sign";
import type { Context } from "@/lib/platform/context";
import type { Db } from "@/lib/platform/db/client";
import { emails } from "@/lib/platform/db/schema";

/** Older due work has stalled: a worker sends within seconds, and rounds look for late work every minute. */
const LATE_MINUTES = 10;
const LATE_MS = LATE_MINUTES * 60_000;

/** Maximum open deliveries read per endpoint, along webhook_deliveries_lane. */
const MAX_LOOKED_AT = 1_000;

interface EndpointHealth extends Record<string, unknown> {
  id: string;
  url: string;
  secret: string;
  enabled: boolean;
  reason: "owner" | "gone" | "failing" | null;
  warned: boolean;
  /** Epochs in milliseconds. */
  failing_since: number | null;
  waiting_since: number | null;
}

/** Webhook endpoints that accept nothing, and webhooks or emails that the service itself does not send. */
export async function deliveryProblems(ctx: Context, oldestEmail: Date | undefined): Promise<Problem[]> {
  const endpoints = await endpointHealth(ctx);
  return [
    ...endpoints.flatMap(unsignedEndpoint),
    ...endpoints.flatMap(failingEndpoint),
    ...endpoints.flatMap(lateWebhooks),
    ...lateEmails(oldestEmail),
  ];
}

/**
 * The endpoints of an app with the oldest delivery that is due and not sent. Of the deliveries about one subject only
 * the first can be late. An endpoint that fails is paced on purpose, and one with a leased delivery is being served.
 */
async function endpointHealth(ctx: Context): Promise<EndpointHealth[]> {
  const { rows } = await ctx.db.orm.execute<EndpointHealth>(sql`
    select e.id, e.url, e.secret, e.enabled, e.disabled_reason as reason, e.warned_at is not null as warned,
           extract(epoch from e.failing_since)::float8 * 1000 as failing_since,
           case when e.enabled and e.failing_since is null and not exists (
             select 1 from webhook_deliveries l
              where l.app_id = e.app_id and l.endpoint_id = e.id
                and l.leased_until is not null and l.leased_until > now())
           then (
             select extract(epoch from min(f.due_at))::float8 * 1000 from (
               select distinct on (d.lane) d.due_at from (
                 select lane, place, due_at from webhook_deliveries
                  where app_id = e.app_id and endpoint_id = e.id and status in ('pending', 'failed')
                  order by lane, place limit ${MAX_LOOKED_AT}) d
                order by d.lane, d.place) f)
           end as waiting_since
      from webhook_endpoints e where e.app_id = ${ctx.app.id} order by e.id`);
  return rows;
}

/** An enabled endpoint whose deliveries cannot be signed. */
function unsignedEndpoint({ id, url, enabled, secret }: EndpointHealth): Problem[] {
  if (!enabled || readEndpointSecrets({ secret, former_secret: null }, id)) return [];
  return [
    {
      kind: "webhook_failing",
      subject: `${id} unsigned`,
      severity: "critical",
      title: `Webhooks to ${new URL(url).host} cannot be signed`,
      detail:
        "Rotate the endpoint's secret: the key that sealed it is missing. Deliveries are retried for 27 hours and can be resent for 30 days.",
      path: `/webhooks/${id}`,
      action: "Open the endpoint",
    },
  ];
}

/** An endpoint that has failed for an hour, and one that was disabled for failing: two states, each notified. */
function failingEndpoint({ id, url, enabled, reason, warned, failing_since }: EndpointHealth): Problem[] {
  const { host } = new URL(url);
  const common = { kind: "webhook_failing", path: `/webhooks/${id}`, action: "Show what failed" } as const;
  if (enabled && warned) {
    const since = new Date(failing_since ?? Date.now());
    const end = new Date(since.getTime() + SCHEDULE.disable_after * 1_000);
    return [
      {
        ...common,
        subject: id,
        severity: "warning",
        title: `${host} does not accept webhooks`,
        detail: `Fix the endpoint: nothing has got through since ${formatDateTime(since)}. Failed deliveries are retried for 27 hours and can be resent for 30 days. Without a success until ${formatDateTime(end)} the endpoint is disabled.`,
      },
    ];
  }
  if (enabled || (reason !== "gone" && reason !== "failing")) return [];
  return [
    {
      ...common,
      subject: `${id} off`,
      includes: id,
      severity: "critical",
      title: `Webhooks to ${host} were disabled`,
      detail: `Fix the endpoint, enable it, and resend what failed: it ${reason === "gone" ? "answered 410 (gone)" : "accepted nothing for five days"}. Pending deliveries continue when it is enabled; each is kept for 30 days.`,
    },
  ];
}

function lateWebhooks({ id, url, waiting_since }: EndpointHealth): Problem[] {
  if (waiting_since === null || Date.now() - waiting_since < LATE_MS) return [];
  return [
    {
      kind: "backlog",
      subject: `webhooks ${id}`,
      severity: "warning",
      title: `Webhooks to ${new URL(url).host} are late`,
      detail: `Contact the operator of this service: deliveries have waited since ${formatDateTime(new Date(waiting_since))} although the endpoint works. They are sent in order once the service continues.`,
      path: `/webhooks/${id}`,
      action: "Open deliveries",
    },
  ];
}

/** The due time of the installation's oldest due email, along mails_due. */
export async function oldestDueEmail(db: Db): Promise<Date | undefined> {
  const [mail] = await db.orm
    .select({ dueAt: emails.dueAt })
    .from(emails)
    .where(and(isNull(emails.sentAt), isNull(emails.failedAt)))
    .orderBy(asc(emails.dueAt))
    .limit(1);
  return mail?.dueAt;
}

function lateEmails(oldest: Date | undefined): Problem[] {
  if (!oldest || Date.now() - oldest.getTime() < LATE_MS) return [];
  return [
    {
      kind: "backlog",
      subject: "emails",
      severity: "warning",
      title: "Emails are late",
      detail: `Contact the operator of this service: emails have waited since ${formatDateTime(oldest)}, alerts and invitations among them.`,
      path: "/alerts",
      action: "Open alerts",
    },
  ];
}
