import { asc, eq, sql } from "drizzle-orm";
import { formatCount, formatDateTime } from "@/lib/contract/format";
import { DUE_ALERTS } from "@/lib/outward/problems/post";
import { type Problem, problemKey } from "@/lib/outward/problems/problem";
import { findLate } from "@/lib/outward/webhooks/endpoints";
import { SCHEDULE } from "@/lib/outward/webhooks/schedule";
import { readEndpointSecrets } from "@/lib/outward/webhooks/sign";
import { webhookEndpoints } from "@/lib/platform/db/schema";
import { DUE_EMAILS } from "@/lib/platform/email/send";
import { type Backlog, lateOf, readBacklogs } from "@/lib/platform/jobs/backlog";
import { FAILING_ROUNDS } from "@/lib/platform/jobs/rounds";
import { DUE_CODE_REQUESTS } from "@/lib/program/code-requests/run-due";
import { FAILING_EVENTS } from "@/lib/program/confirmations/apply-again";
import type { Context } from "@/lib/tenants/context";

/** A backlog is a problem from this age: a restart and a short outage are over by then. */
export const PROBLEM_S = 600;

type Endpoint = typeof webhookEndpoints.$inferSelect;

/** Webhook endpoints that accept nothing, and overdue work of the service itself. */
export async function deliveryProblems(
  ctx: Context,
  backlogs: readonly Backlog[],
  open: ReadonlyMap<string, Date>,
): Promise<Problem[]> {
  const endpoints = await ctx.db.orm
    .select()
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.appId, ctx.app.id))
    .orderBy(asc(webhookEndpoints.id));
  return [
    ...endpoints.flatMap((endpoint) => unsignedEndpoint(endpoint) ?? failingEndpoint(endpoint)),
    ...(await givenUp(ctx, endpoints)),
    ...(await lateWebhooks(ctx, endpoints, open)),
    ...(await lateWork(ctx, backlogs)),
  ];
}

/**
 * The app's part of the installation's backlogs. Reads nothing while none is late, which is always except in an outage.
 */
async function lateWork(ctx: Context, backlogs: readonly Backlog[]): Promise<Problem[]> {
  const late = new Map(lateOf(backlogs, PROBLEM_S).map((backlog) => [backlog.name, backlog]));
  const emails = late.get(DUE_EMAILS.name);
  const rounds = [...late.values()].filter(({ name }) => name.startsWith("round: "));
  const ofApp = [DUE_ALERTS, DUE_CODE_REQUESTS, FAILING_EVENTS, FAILING_ROUNDS].filter(({ name }) =>
    late.has(name),
  );
  const own = lateOf(ofApp.length > 0 ? await readBacklogs(ctx.db, ofApp, ctx.app.id) : [], PROBLEM_S);
  rounds.push(...own.filter(({ name }) => name === FAILING_ROUNDS.name));
  return [
    ...(emails ? [lateEmails(emails)] : []),
    ...(rounds.length > 0 ? [lateRounds(rounds)] : []),
    ...own.flatMap((backlog) => LATE[backlog.name]?.(backlog) ?? []),
  ];
}

const since = ({ seconds }: Pick<Backlog, "seconds">): string =>
  formatDateTime(new Date(Date.now() - seconds * 1_000));

/** An enabled endpoint whose deliveries cannot be signed, so none is sent: the endpoint itself does not fail. */
function unsignedEndpoint({ id, url, enabled, secret }: Endpoint): Problem | undefined {
  if (!enabled || readEndpointSecrets({ secret, former_secret: null }, id)) return undefined;
  return {
    kind: "webhook_failing",
    subject: `${id} unsigned`,
    severity: "critical",
    title: `Webhooks to ${new URL(url).host} cannot be signed`,
    detail:
      "Rotate the endpoint's secret: the key that sealed it is missing. Deliveries are retried for 27 hours and can be resent for 30 days.",
    path: `/webhooks/${id}`,
    action: "Open the endpoint",
  };
}

/** An endpoint that has failed for an hour, and one that was disabled for failing: two states, each notified. */
function failingEndpoint({
  id,
  url,
  enabled,
  disabledReason: reason,
  warnedAt,
  failingSince,
}: Endpoint): Problem[] {
  const { host } = new URL(url);
  const common = { kind: "webhook_failing", path: `/webhooks/${id}`, action: "Show what failed" } as const;
  if (enabled && warnedAt) {
    const start = failingSince ?? new Date();
    const end = new Date(start.getTime() + SCHEDULE.disable_after * 1_000);
    const last =
      end > new Date()
        ? `If no delivery succeeds by ${formatDateTime(end)}, the endpoint is disabled.`
        : "The next failure disables the endpoint.";
    return [
      {
        ...common,
        subject: id,
        severity: "warning",
        title: `${host} does not accept webhooks`,
        detail: `Fix the endpoint: nothing has got through since ${formatDateTime(start)}. Failed deliveries are retried for 27 hours and can be resent for 30 days. ${last}`,
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
      detail: `Fix the endpoint, enable it, and resend what failed: it ${reason === "gone" ? "reported that it is gone for good" : "accepted nothing for five days"}. Pending deliveries continue when it is enabled; each is kept for 30 days. Events that happen while it is disabled are never sent.`,
    },
  ];
}

/** A delivery that was given up is a problem for a week after its last attempt, unless it is resent. */
const GIVEN_UP_DAYS = 8;

const MOST_GIVEN_UP = 1_000;

/**
 * Given-up deliveries of endpoints that accept others, so that no series of failures lasts: the receiver may fail on
 * one kind of event. Reads along webhook_deliveries_failed.
 */
async function givenUp({ app, db }: Context, endpoints: Endpoint[]): Promise<Problem[]> {
  const working = endpoints.filter(({ enabled, warnedAt }) => enabled && !warnedAt);
  if (working.length === 0) return [];
  const { rows } = await db.orm.execute<{ id: string; dead: number }>(sql`
    select e.id, d.dead from unnest(${sql.param(working.map(({ id }) => id))}::uuid[]) e (id)
     cross join lateral (
       select count(*)::int as dead from (
         select 1 from webhook_deliveries
          where app_id = ${app.id} and endpoint_id = e.id and status = 'dead' and event_type <> 'webhook.test'
            and id > first_id(now() - make_interval(days => ${GIVEN_UP_DAYS})) limit ${MOST_GIVEN_UP + 1}) w) d
     where d.dead > 0`);
  const counts = new Map(rows.map(({ id, dead }) => [id, dead]));
  return working.flatMap(({ id, url }) => {
    const dead = counts.get(id);
    if (!dead) return [];
    return {
      ...{ kind: "webhook_failing", subject: `${id} given up`, severity: "warning" },
      title: `${dead > MOST_GIVEN_UP ? "More than " : ""}${formatCount(Math.min(dead, MOST_GIVEN_UP), "webhook")} to ${new URL(url).host} ${dead === 1 ? "was" : "were"} given up`,
      detail:
        "Open one to see why the endpoint refused it eight times within 27 hours, fix the endpoint, then resend what failed.",
      ...{ path: `/webhooks/${id}?status=dead`, action: "Show what failed" },
    };
  });
}

/** Endpoints with late deliveries: either they answer slower than events arrive, or the service is at fault. */
async function lateWebhooks(ctx: Context, endpoints: Endpoint[], open: ReadonlyMap<string, Date>) {
  const problems: Problem[] = [];
  for (const { id, url } of endpoints) {
    const common = { ...BACKLOG, subject: `webhooks ${id}` };
    const late = await findLate(ctx, id, PROBLEM_S, open.has(problemKey(common)));
    if (!late) continue;
    const time = formatDateTime(new Date(late.at));
    problems.push({
      ...common,
      title: `Webhooks to ${new URL(url).host} are late`,
      detail: late.slow
        ? `Make the endpoint respond faster: events arrive faster than it accepts them, and deliveries have been waiting since ${time}.`
        : `Contact the operator of this service: deliveries have been waiting since ${time}. They are sent in order once the service recovers.`,
      path: `/webhooks/${id}`,
      action: "Open deliveries",
    });
  }
  return problems;
}

/** The kind and severity of what holds deliveries back. */
export const BACKLOG = { kind: "backlog", severity: "warning" } as const;

function lateRounds(backlogs: Backlog[]): Problem {
  const oldest = { seconds: Math.max(...backlogs.map(({ seconds }) => seconds)) };
  return {
    ...BACKLOG,
    subject: "rounds",
    title: "Background checks are late",
    detail: `Contact the operator of this service: checks have been waiting since ${since(oldest)}. Until they run, figures, refills and alerts are out of date.`,
    path: "/alerts",
    action: "Open alerts",
  };
}

/** The problem of a kind of late work; `waits` words the time since which the oldest row has waited. */
const lateWorkOf =
  (about: Pick<Problem, "subject" | "title" | "path" | "action">, waits: (time: string) => string) =>
  (backlog: Backlog): Problem => ({
    ...BACKLOG,
    ...about,
    detail: `Contact the operator of this service: ${waits(since(backlog))}`,
  });

const lateEmails = lateWorkOf(
  { subject: "emails", title: "Emails are late", path: "/alerts", action: "Open alerts" },
  (time) => `emails have not got through since ${time}, including alerts and invitations.`,
);

const LATE: Readonly<Record<string, (backlog: Backlog) => Problem>> = {
  [DUE_ALERTS.name]: lateWorkOf(
    { subject: "alerts", title: "Alerts to chats are late", path: "/alerts", action: "Open alerts" },
    (time) => `alerts have been waiting since ${time}. They are posted once the service recovers.`,
  ),
  [DUE_CODE_REQUESTS.name]: lateWorkOf(
    {
      ...{ subject: "code requests", title: "Requests for codes are late" },
      ...{ path: "/codes/app-store", action: "Open App Store Connect" },
    },
    (time) => `requests have been waiting since ${time}. They continue once the service recovers.`,
  ),
  [FAILING_EVENTS.name]: lateWorkOf(
    {
      ...{ subject: "provider events", title: "Events of a provider cannot be applied" },
      ...{ path: "/providers/unmatched?show=failed", action: "Open failed events" },
    },
    (time) =>
      `the oldest arrived ${time}. They are retried every hour; their purchases do not count until they are applied.`,
  ),
};
