import { and, asc, gt, type SQL, sql } from "drizzle-orm";
import { QUOTA_WARN_PERCENT } from "@/lib/contract/quota";
import { installationBacklogs } from "@/lib/outward/problems/backlogs";
import { PROBLEM_S } from "@/lib/outward/problems/detect-deliveries";
import { DUE_ALERTS } from "@/lib/outward/problems/post";
import { DUE_WEBHOOKS, END_BUSY_WEBHOOKS } from "@/lib/outward/webhooks/queue";
import { databaseTime } from "@/lib/platform/db/chunks";
import type { Db } from "@/lib/platform/db/client";
import { NIL_ID } from "@/lib/platform/db/index-ranges";
import { apps } from "@/lib/platform/db/schema";
import { DUE_EMAILS } from "@/lib/platform/email/send";
import { LATE_S, lateOf } from "@/lib/platform/jobs/backlog";
import { COMMIT_S, FAILING_ROUNDS, markRounds } from "@/lib/platform/jobs/rounds";
import { log } from "@/lib/platform/log";
import { DUE_CODE_REQUESTS } from "@/lib/program/code-requests/run-due";
import { FAILING_EVENTS } from "@/lib/program/confirmations/apply-again";
import { SETTLED_SECONDS } from "@/lib/program/stats/roll-up";
import { PLAN_QUOTA } from "@/lib/tenants/quota/plans";

/** Further back, the last event of each app is read instead of all, which may be too many for a statement. */
const FAR_BACK_MS = 15 * 60 * 1_000;

/** Marks the apps that have changed since a time, along the indexes by time of the rows that every change writes. */
export async function markChangedApps(db: Db, seenAt: string | null): Promise<void> {
  const seen = seenAt === null ? sql`now() - interval '7 days'` : sql`${seenAt}::timestamptz`;
  const since = sql`${seen} - make_interval(secs => ${COMMIT_S})`;
  const far = seenAt === null || (await databaseTime(db)).getTime() - Date.parse(seenAt) > FAR_BACK_MS;
  const newest = (rows: SQL) =>
    sql`select a.id as app_id, last.created_at as at from apps a cross join lateral (${rows} limit 1) last where last.created_at >= ${since}`;
  const events = far
    ? newest(sql`select created_at from outbox where app_id = a.id order by id desc`)
    : sql`select app_id, created_at as at from outbox where created_at >= ${since}`;
  await markRounds(db, "figures", events, SETTLED_SECONDS);
  const changes = [
    events,
    sql`select app_id, created_at from audit_log where created_at >= ${since}`,
    far
      ? newest(sql`select created_at from provider_events
          where app_id = a.id and verdict >= 'unmatched' and verdict <= 'unmatched' order by verdict desc, created_at desc`)
      : sql`select app_id, created_at from provider_events where verdict = 'unmatched' and created_at >= ${since}`,
    sql`select app_id, refused_at from provider_connections where refused_at >= ${since}`,
    sql`select app_id, warned_at from webhook_endpoints where warned_at >= ${since}`,
    sql`select app_id, last_at from key_refusals where last_at >= ${since}`,
    sql`select app_id, created_at from referees_in_line where created_at >= ${since}`,
    sql`select app_id, waits_since from rewards where waits_since >= ${since}`,
    sql`select app_id, stopped_at from refill_rules where stopped_at >= ${since}`,
  ];
  await markRounds(db, "checks", union(changes));
}

const union = (selects: SQL[]): SQL => sql.join(selects, sql` union all `);

/**
 * Marks the apps of workspaces that have crossed a threshold of their monthly quota, until it is notified. A mailed
 * threshold over the limit is that of a larger plan.
 */
export async function markQuotas(db: Db): Promise<void> {
  const plans = Object.entries(PLAN_QUOTA).map(([plan, limit]) => sql`when ${plan} then ${limit}::bigint`);
  const limit = sql`coalesce(w.quota_override, case w.plan ${sql.join(plans, sql` `)} end)`;
  const warned = sql`ceil(${limit} * ${QUOTA_WARN_PERCENT}::numeric / 100)`;
  const crossed = sql`
    select a.id as app_id, now() as at
      from quota_usage u
      join workspaces w on w.id = u.workspace_id
      join apps a on a.workspace_id = w.id
     where u.month = date_trunc('month', now() at time zone 'UTC')::date
       and (u.used >= ${limit} and u.mailed <> ${limit} or u.used >= ${warned} and (u.mailed < ${warned} or u.mailed > ${limit}))`;
  await markRounds(db, "checks", crossed);
}

/** Logs stalled work, marks apps that it affects or with open alerts about it, and notes endpoints that caught up. */
export async function watchBacklogs(db: Db): Promise<void> {
  const late = lateOf(await installationBacklogs(db), PROBLEM_S);
  for (const { name, seconds, app } of late)
    log().error({ work: name, seconds, app }, "background work has stalled");
  const names = new Set(late.map(({ name }) => name));
  const concerned = [
    sql`select app_id, now() as at from alerts where kind = 'backlog'`,
    sql`select app_id, now() from webhook_endpoints
         where enabled and failing_since is null and busy_since <= now() - make_interval(secs => ${PROBLEM_S})`,
    ...[DUE_WEBHOOKS, DUE_ALERTS, DUE_CODE_REQUESTS, FAILING_EVENTS, FAILING_ROUNDS]
      .filter(({ name }) => names.has(name))
      .map(({ select }) => sql`select app_id, now() from (${select()} limit 100000) due`),
  ];
  // An email about emails that are late would be late itself.
  if (names.has(DUE_EMAILS.name))
    concerned.push(sql`select app_id, now() from alert_channels where enabled and type <> 'mail'`);
  await markRounds(db, "checks", union(concerned));
  const { rows } = await db.orm.execute<{ app: string; endpoint: string }>(sql`
    select app_id as app, id as endpoint from webhook_endpoints where busy_since is not null`);
  for (const row of rows) await db.call(END_BUSY_WEBHOOKS, { ...row, late: LATE_S });
}

/** Apps per statement. */
const PAGE = 5_000;

/** Whether this process has read every app once: a new version may have rounds that old apps lack. */
let readAll = false;

/**
 * Adds the rounds of new apps, spread over the time within which each is due. The first run of a process reads every
 * app, later ones those that were created since `seenAt`.
 */
export async function addRounds(
  db: Db,
  seenAt: string | null,
  spread: Readonly<Record<string, number>>,
): Promise<void> {
  const [names, seconds] = [Object.keys(spread), Object.values(spread)].map((list) => sql.param(list));
  const since = sql`${apps.createdAt} >= ${seenAt}::timestamptz - make_interval(secs => ${COMMIT_S})`;
  for (let after: string | undefined = NIL_ID; after; ) {
    const ids: string[] = (
      await db.orm
        .select({ id: apps.id })
        .from(apps)
        .where(and(gt(apps.id, after), readAll && seenAt ? since : undefined))
        .orderBy(asc(apps.id))
        .limit(PAGE)
    ).map(({ id }) => id);
    await db.orm.execute(sql`
      insert into rounds (app_id, name, due_at)
      select a.id, n.name, now() + random() * make_interval(secs => n.seconds)
        from unnest(${sql.param(ids)}::uuid[]) a (id)
        cross join unnest(${names}::text[], ${seconds}::float8[]) n (name, seconds)
       where not exists (select from rounds r where r.app_id = a.id and r.name = n.name)
      on conflict (app_id, name) do nothing`);
    after = ids.length < PAGE ? undefined : ids.at(-1);
  }
  readAll = true;
}
