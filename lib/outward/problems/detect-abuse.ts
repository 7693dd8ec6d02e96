import { sql } from "drizzle-orm";
import { KEY_LIMIT_NAMES, type KeyLimit } from "@/lib/contract/api-key";
import { formatCount, formatDateTime, formatNumber } from "@/lib/contract/format";
import { type Problem, problemKey } from "@/lib/outward/problems/problem";
import { refereesInLine } from "@/lib/platform/db/schema";
import { SCAN_ROWS } from "@/lib/platform/db/walk";
import { fail } from "@/lib/platform/errors";
import { inReview } from "@/lib/program/referrals/review";
import { limitsInForce, listKeys } from "@/lib/tenants/api-keys/list";
import type { Context } from "@/lib/tenants/context";

/** The pace is unusual from this many times the average hour of the last week's busiest day. */
export const PACE_FACTOR = 5;

/** Codes in an hour below which no pace is unusual, so that small apps and first days raise no alarm. */
export const PACE_FLOOR = 50;

/** The codes of the last hour are counted up to this number, or up to the unusual number if that is larger. */
const MAX_COUNTED = 20_000;

/** Codes in an hour that are unusual for any app. */
const ALWAYS_UNUSUAL = 1_000_000;

interface Pace extends Record<string, unknown> {
  last_hour: number;
  /** The referrer with the most of them, and how many. */
  busiest: string | null;
  busiest_count: number | null;
  /** Codes on the busiest of the last seven full days (UTC). */
  busiest_day: number;
  /** Redemptions that wait for a review. */
  held: number;
}

/** Codes assigned much faster than usual, redemptions held for review, and keys whose requests are refused. */
export async function abuseProblems(ctx: Context, open: ReadonlyMap<string, Date>): Promise<Problem[]> {
  const pace = await readPace(ctx);
  const keys = [...(await limitedKeys(ctx)), ...(await endedKeys(ctx, open))];
  return [...paceProblems(pace, open), ...heldProblems(pace.held), ...keys];
}

function heldProblems(held: number): Problem[] {
  if (held === 0) return [];
  const count = formatCount(held, "redemption");
  return [
    {
      ...{ kind: "review", subject: "review", severity: "warning" },
      title: `${count} beyond a limit ${held === 1 ? "is waiting" : "are waiting"} for your review`,
      detail: "Approve honest friends and dismiss made-up ones: until you approve them, they get no code.",
      ...{ path: "/referrals/review", action: "Review redemptions" },
    },
  ];
}

/** Codes in an hour from which the pace is unusual. An open problem lasts until the pace falls below half of that. */
export function unusualPace(busiestDay: number, raised: boolean): number {
  const line = Math.min(ALWAYS_UNUSUAL, Math.max(PACE_FLOOR, Math.ceil((busiestDay / 24) * PACE_FACTOR)));
  return raised ? Math.ceil(line / 2) : line;
}

function paceProblems(pace: Pace, open: ReadonlyMap<string, Date>): Problem[] {
  const common = { kind: "pace", subject: "pace", path: "/referrals", action: "Open referrals" } as const;
  const line = unusualPace(pace.busiest_day, open.has(problemKey(common)));
  if (pace.last_hour < line) return [];
  const counted = Math.max(MAX_COUNTED, unusualPace(pace.busiest_day, false));
  const count = formatCount(Math.min(pace.last_hour, counted), "code");
  const usual = formatNumber(Math.round(pace.busiest_day / 24));
  const most = pace.busiest
    ? ` The metacode ${pace.busiest} brought ${formatNumber(pace.busiest_count ?? 0)} of them.`
    : "";
  return [
    {
      ...common,
      severity: "warning",
      title: `${pace.last_hour > counted ? "More than " : ""}${count} assigned in the last hour; ${usual} is usual`,
      detail: `Check the newest referrals: if nothing explains them, pause the referrer or revoke the key.${most}`,
    },
  ];
}

/** One statement along referrals_created, the key of daily_stats, and referees_in_line_review. */
async function readPace({ db, app }: Context): Promise<Pace> {
  const { rows } = await db.orm.execute<Pace>(sql`
    with week as (
      select coalesce(max(assigned), 0) as busiest_day from (
        select sum(assigned)::int as assigned from daily_stats
         where app_id = ${app.id} and day < (now() at time zone 'utc')::date
           and day >= (now() at time zone 'utc')::date - 7
         group by day) days),
    recent as (
      select referrer_id from referrals
       where app_id = ${app.id} and created_at > now() - interval '1 hour'
       order by created_at desc limit (
         select 1 + greatest(${MAX_COUNTED}, least(${ALWAYS_UNUSUAL}, ceil(busiest_day / 24.0 * ${PACE_FACTOR})))::int from week)),
    busiest as (select referrer_id, count(*)::int as codes from recent group by 1 order by 2 desc, 1 limit 1)
    select (select count(*)::int from recent) as last_hour,
           (select r.slug from busiest b join referrers r on r.app_id = ${app.id} and r.id = b.referrer_id) as busiest,
           (select codes from busiest) as busiest_count,
           (select busiest_day from week) as busiest_day,
           (select count(*)::int from ${refereesInLine} where ${inReview(app.id)}) as held`);
  return rows[0] ?? fail("INTERNAL_ERROR");
}

/** Refusals from which a limit concerns the whole app. A single user who guesses causes fewer. */
const MANY: Partial<Record<KeyLimit, number>> = {
  daily_budget: 1,
  burst: 1_000,
  invalid_requests: 100,
  unknown_metacodes: 1,
  unknown_per_user: 100,
  unknown_per_address: 20,
  codes_per_address: 10,
  referrers_per_address: 10,
};

/** A burst ends within a second. Its count restarts after an hour without refusals, so each series is one alert. */
const BURSTS_FOR = "1 hour";

async function limitedKeys(ctx: Context): Promise<Problem[]> {
  const found = (await limitsInForce(ctx, BURSTS_FOR)).filter(
    ({ limit, refused }) => refused >= (MANY[limit] ?? Infinity),
  );
  if (found.length === 0) return [];
  const names = new Map((await listKeys(ctx)).map(({ id, name }) => [id, name]));
  return found.map(({ keyId, limit, refused, since, until }) => {
    const name = names.get(keyId) ?? "unknown";
    const count = `${formatCount(refused, "request")} since ${formatDateTime(since)}`;
    const common = {
      kind: "key_limited",
      subject: `${keyId} ${limit}`,
      path: "/keys",
      action: "Open keys",
    } as const;
    if (limit === "daily_budget") {
      return {
        ...common,
        severity: "critical",
        title: `The daily budget of the key “${name}” is used up`,
        detail: `Check its requests, then raise the budget, lift the limit or rotate the key. Refused so far: ${count}. Requests are refused until ${formatDateTime(until)}.`,
      };
    }
    return {
      ...common,
      severity: "warning",
      title: `A limit of the key “${name}” is refusing many requests: ${KEY_LIMIT_NAMES[limit].toLowerCase()}`,
      detail: `Check its requests. If this is an attack, leave the limit in place; if it is honest users, ${limit === "burst" ? "spread their requests" : "raise it"}. Refused: ${count}.`,
    };
  });
}

/** Days after its end for which a key that is still sent is a problem: old versions of an app may send it for years. */
const ENDED_DAYS = 7;

interface EndedKey extends Record<string, unknown> {
  id: string;
  name: string;
  revoked: boolean;
  ended_at: string;
  /** Refused within a day, by the newest requests of the log. */
  logged: boolean;
  /** Sent today or yesterday (UTC), perhaps before its end. */
  used: boolean;
}

/**
 * Revoked and expired keys that are still sent. Reads the log only where a key has ended lately. The log of a busy app
 * reaches back a few minutes, so an open problem also stays for the day on which its key was last used and the next.
 */
async function endedKeys({ db, app }: Context, open: ReadonlyMap<string, Date>): Promise<Problem[]> {
  const { rows } = await db.orm.execute<EndedKey>(sql`
    select e.*, e.id in (
             select key_id from (
               select key_id, error_code, created_at from request_log
                where app_id = ${app.id} order by app_id desc, id desc limit ${SCAN_ROWS}) r
              where error_code = 'UNAUTHORIZED' and created_at > now() - interval '1 day') as logged,
           exists (select 1 from key_usage_days u where u.app_id = ${app.id} and u.key_id = e.id
                      and u.day >= (now() at time zone 'utc')::date - 1) as used
      from (select id, name, revoked_at is not null as revoked, coalesce(revoked_at, expires_at) as ended_at
              from api_keys where app_id = ${app.id} and least(revoked_at, expires_at) <= now()
               and coalesce(revoked_at, expires_at) > now() - make_interval(days => ${ENDED_DAYS})) e
     order by ended_at`);
  return rows.flatMap(({ id, name, revoked, ended_at: endedAt, logged, used }) => {
    const common = { kind: "key_limited", subject: `${id} ended` } as const;
    if (!logged && !(used && open.has(problemKey(common)))) return [];
    return {
      ...common,
      severity: "warning",
      title: `The key “${name}” ${revoked ? "was revoked" : "expired"} on ${formatDateTime(new Date(endedAt))} and is still sent`,
      detail:
        "Put a working key where it is used: its requests are refused with 401. If the key was stolen, there is nothing more to do.",
      ...{ path: "/keys", action: "Open keys" },
    };
  });
}
