import { inArray, type SQL, sql } from "drizzle-orm";
import { increase } from "@/lib/platform/counters";
import type { Db } from "@/lib/platform/db/client";
import { NIL_ID } from "@/lib/platform/db/index-ranges";
import type { DueRows } from "@/lib/platform/jobs/backlog";
import { LEASE_S, type Queue } from "@/lib/platform/jobs/queue";
import { LONGEST_S, untilStored, withinLimit } from "@/lib/platform/jobs/until-stored";
import { log } from "@/lib/platform/log";
import { traced } from "@/lib/platform/tracing";

/** A round that this process has leased. */
export interface TakenRound extends Record<string, unknown> {
  appId: string;
  name: string;
  lease: string;
  /** When the last completed run began, as text for the next statement; null before the first. */
  seenAt: string | null;
}

/** Does the work of a round; returns the seconds until it is due again, null where it waits to be marked. */
export type RunRound = (round: TakenRound) => Promise<number | null>;

/** Seconds until a round that failed is tried again. */
const RETRY_S = 60;

/** Rounds that walk an app's rows in chunks. Two runs at once could both take a shared chunk for the last. */
const LONG_ROUNDS = /^(figures|retention)/;
const LONGEST_ROUND_S = 86_400;

/** A round that is marked while it runs, or soon after, runs again this many seconds later and not at once. */
const AGAIN_S = 30;

const LEASE = sql`now() + make_interval(secs => ${LEASE_S})`;
const IS_FREE = sql`coalesce(leased_until <= now(), true)`;

/** The rounds of the installation have the nil id in place of an app's. */
type Scope = "installation" | "apps";

/** The condition of the rounds that are due and that no process has taken. */
const isDue = (scope: Scope, names: string[]) => sql`
  ${scope === "installation" ? sql`app_id = ${NIL_ID}` : sql`app_id <> ${NIL_ID}`} and due_at <= now()
  and ${inArray(sql`name`, names)} and ${IS_FREE}`;

/** The runs of a round that are due and that no process has taken. */
export function dueRounds(name: string, scope: Scope): DueRows {
  return {
    name: `round: ${name}`,
    select: (app) => sql`
      select app_id, due_at as at from rounds
       where ${isDue(scope, [name])} ${app ? sql`and app_id = ${app}` : sql``}
       order by due_at`,
  };
}

/** Rounds whose retry failed as well: of any app, or of one app and the installation. */
export const FAILING_ROUNDS: DueRows = {
  name: "failing rounds",
  select: (app) => sql`
    select app_id, failing_since as at from rounds
     where failing_since <= now() ${app ? sql`and app_id in (${app}, ${NIL_ID})` : sql``}
     order by failing_since`,
};

/**
 * The rounds of the installation, each of which one process runs at a time, or those of all apps, which the processes
 * share. A killed process leaves a lease that ends.
 */
export function roundQueue(
  db: Db,
  scope: Scope,
  rounds: Readonly<Record<string, RunRound>>,
  options: Pick<Queue<TakenRound>, "concurrency" | "pollMs">,
): Queue<TakenRound> {
  const names = Object.keys(rounds);
  let created = scope === "apps";
  return {
    name: scope === "apps" ? "rounds of apps" : "rounds",
    due: sql`select app_id from rounds where ${isDue(scope, names)} order by due_at`,
    take: async (limit) => {
      if (!created) await createRounds(db, names);
      created = true;
      return takeRounds(db, scope, names, limit);
    },
    extend: (taken) => extendLeases(db, taken),
    lease: LEASE_S,
    // Longer than a round may take, so that the round is given up first and stores that it failed.
    longest: LONGEST_ROUND_S + 120,
    work: async (taken) => {
      const next = await runSafely(rounds, taken);
      await untilStored(() => finishRound(db, taken, next));
    },
    ...options,
  };
}

async function createRounds(db: Db, names: string[]): Promise<void> {
  await db.orm.execute(sql`
    insert into rounds (app_id, name, due_at)
    select ${NIL_ID}, name, now() from unnest(${sql.param(names)}::text[]) name
    on conflict (app_id, name) do nothing`);
}

async function takeRounds(db: Db, scope: Scope, names: string[], limit: number): Promise<TakenRound[]> {
  // Materialized, because some plans would read `due` for each row of the join, and lease other rounds each time.
  const { rows: taken } = await db.orm.execute<TakenRound>(sql`
    with due as materialized (
      select app_id, name from rounds
       where ${isDue(scope, names)}
       order by due_at limit ${limit} for update skip locked)
    update rounds r set started_at = now(), lease = gen_random_uuid(), leased_until = ${LEASE}
      from due
     where r.app_id = due.app_id and r.name = due.name
    returning r.app_id as "appId", r.name, r.lease, r.seen_at::text as "seenAt"`);
  return taken;
}

async function extendLeases(db: Db, taken: TakenRound[]): Promise<void> {
  const column = (name: "appId" | "name" | "lease") => sql.param(taken.map((round) => round[name]));
  await db.orm.execute(sql`
    update rounds r set leased_until = ${LEASE}
      from unnest(${column("appId")}::uuid[], ${column("name")}::text[], ${column("lease")}::uuid[])
           t (app_id, name, lease)
     where r.app_id = t.app_id and r.name = t.name and r.lease = t.lease`);
}

interface Outcome {
  seconds: number | null;
  seen: boolean;
}

async function runSafely(rounds: Readonly<Record<string, RunRound>>, taken: TakenRound): Promise<Outcome> {
  const { name, appId } = taken;
  const started = performance.now();
  increase("rounds", name);
  try {
    const run = traced(`round: ${name}`, {}, async () => (await rounds[name]?.(taken)) ?? null);
    const seconds = await withinLimit(run, LONG_ROUNDS.test(name) ? LONGEST_ROUND_S : LONGEST_S);
    return { seconds, seen: true };
  } catch (error) {
    increase("round_failures", name);
    const app = appId === NIL_ID ? undefined : appId;
    log().warn({ err: error, round: name, app }, "a round failed and is tried again in a minute");
    return { seconds: RETRY_S, seen: false };
  } finally {
    increase("round_seconds", name, (performance.now() - started) / 1_000);
  }
}

async function finishRound(
  db: Db,
  { appId, name, lease }: TakenRound,
  { seconds, seen }: Outcome,
): Promise<void> {
  const next = sql`now() + make_interval(secs => ${seconds}::float8)`;
  const again = sql`now() + make_interval(secs => ${AGAIN_S})`;
  await db.orm.execute(sql`
    update rounds set lease = null, leased_until = null, seen_at = case when ${seen} then started_at else seen_at end,
           failing_since = case when not ${seen} then coalesce(failing_since, ${next}) end,
           due_at = case when marked_at >= started_at then least(${next}, ${again}) else ${next} end
     where app_id = ${appId} and name = ${name} and lease = ${lease}`);
}

/**
 * Stores the apps for which a round over apps failed, like the rounds of an app: health and problems show those whose
 * retry failed as well. Throws where several apps failed and none succeeded.
 */
export async function noteFailingApps(
  db: Db,
  name: string,
  { found, failed }: { found: number; failed: string[] },
): Promise<void> {
  increase("round_failures", name, failed.length);
  await db.orm.execute(sql`
    delete from rounds where failing_since is not null and name = ${name}
       and app_id <> all(${sql.param([NIL_ID, ...failed])}::uuid[])`);
  if (failed.length === 0) return;
  await db.orm.execute(sql`
    insert into rounds as r (app_id, name, failing_since)
    select app_id, ${name}, now() + make_interval(secs => ${RETRY_S})
      from unnest(${sql.param(failed)}::uuid[]) app_id order by app_id
    on conflict (app_id, name) do update set failing_since = coalesce(r.failing_since, excluded.failing_since)`);
  if (failed.length > 1 && failed.length === found)
    throw new Error(`The round failed for all of ${found} apps`);
}

const UNSENT = "status in ('pending', 'failed')";

/** The times for which rows of the queues wait, each with the condition of the rows that are open. */
const WAITS = [
  ["mails", "due_at", "sent_at is null and failed_at is null"],
  ["alert_posts", "due_at", "true"],
  ["code_requests", "due_at", "state in ('asked', 'made')"],
  ["code_requests", "leased_until", "state in ('asked', 'made')"],
  ["webhook_endpoints", "slowed_until", "enabled"],
  ["webhook_deliveries", "leased_until", UNSENT],
  ["webhook_deliveries", "due_at", UNSENT],
  ["webhook_deliveries", "wake_at", `${UNSENT} and parked_at is null`],
  // There may be many, hence a separate statement.
  ["webhook_deliveries", "wake_at", `${UNSENT} and parked_at is not null`],
  ["rounds", "due_at", "true"],
] as const;

/**
 * Lets rows of the queues wait no longer than before a clock was set back from `former`: moves their times back by as
 * much, but not into a lease, because a process may be at work on the row. Logs a failure.
 */
export async function pullDueRows({ orm }: Db, former: string): Promise<void> {
  for (const [table, column, open] of WAITS) {
    const at = sql.identifier(column);
    // A cluster refuses an interval taken from a time with a zone, because its length depends on the session's.
    const update = sql`
      update ${sql.identifier(table)}
         set ${at} = greatest(${LEASE}, (${at} at time zone 'UTC' - (${former}::timestamptz - now())) at time zone 'UTC')
       where ${sql.raw(open)} and ${at} > now() + make_interval(secs => ${2 * LEASE_S})`;
    await orm.execute(update).catch((error: unknown) => {
      log().warn({ err: error, table }, "rows that are due wait until the database's clock has caught up");
    });
  }
}

/** Longer than a transaction: a row carries the time of its transaction's start and is seen after the commit only. */
export const COMMIT_S = 20;

/**
 * Makes a round of apps due in `seconds`; `changes` selects `app_id` and `at`, the time of a change. Not sooner than
 * {@link AGAIN_S} after its last run. An app whose last run began later than `seconds` and a margin after its change
 * has seen it.
 */
export async function markRounds(db: Db, name: string, changes: SQL, seconds = 0): Promise<void> {
  const { rows } = await db.orm.execute<{ id: string; at: string }>(sql`
    select a.id, c.at::text
      from (select app_id, max(at) as at from (${changes}) changed where app_id is not null group by app_id) c
      join apps a on a.id = c.app_id and a.deleted_at is null`);
  if (rows.length === 0) return;
  const column = (of: "id" | "at") => sql.param(rows.map((row) => row[of]));
  const margin = sql`make_interval(secs => ${seconds + COMMIT_S})`;
  // Apps may be on other servers than the rounds, so no statement reads both.
  await db.orm.execute(sql`
    insert into rounds as r (app_id, name, due_at, marked_at)
    select c.app_id, ${name}, now() + make_interval(secs => ${seconds}), now()
      from unnest(${column("id")}::uuid[], ${column("at")}::timestamptz[]) c (app_id, at)
      left join rounds known on known.app_id = c.app_id and known.name = ${name}
     where coalesce(known.seen_at < c.at + ${margin}, true)
     order by c.app_id
    on conflict (app_id, name) do update
       set marked_at = excluded.marked_at,
           due_at = least(r.due_at, greatest(excluded.due_at, r.seen_at + make_interval(secs => ${AGAIN_S})))`);
}
