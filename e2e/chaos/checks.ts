import { check } from "../crash/checker";
import { readFinal } from "../crash/final";
import { type LoadHistory, THRESHOLD } from "./load";
import type { Messages } from "./messages";
import type { AcceptedEvent, ChaosReceiver } from "./receiver";
import type { ChaosStage } from "./stage";

/** The sources of the checks: the database, read without the service, and everything that receivers got. */
export interface CheckedStage extends Pick<ChaosStage, "db" | "ctx" | "sample"> {
  databaseUrl: string;
  receiver: ChaosReceiver;
}

interface RunFacts {
  stage: CheckedStage;
  load: LoadHistory;
  /** The emails and alerts of the run, if it has any, and the mail server that received them. */
  messages?: Pick<Messages, "emails" | "alerts"> & { smtp: Pick<ChaosStage["smtp"], "to"> };
  /** The number of faults, each of which may have killed processes that held shares of the quota. */
  struck: number;
  /** Whether the run still goes on, so that a delivery that will be retried is not lost yet. */
  underWay?: boolean;
  /** Whether a proxy repeats requests, so that the first response may already be a stored one. */
  repeating?: boolean;
}

/** A share is at most 100 units and is refilled at half of that; a fault kills at most three processes. */
const SHARES_PER_FAULT = 3 * 150;

async function read<Row>({ db }: CheckedStage, text: string, values: unknown[]): Promise<Row[]> {
  return (await db.pool.query(text, values)).rows as Row[];
}

function repeated(values: string[]): string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.keys()].filter((value) => (counts.get(value) ?? 0) > 1);
}

/** Rewards: every claimed code in a response is the reward's, and no code was assigned to two end users or purposes. */
async function rewardsAndCodes({ stage, load }: RunFacts): Promise<string[]> {
  const rows = await read<{ reward: string; code: string; uid: string; status: string }>(
    stage,
    `select w.id as reward, c.code, f.uid, w.status from rewards w
       join referrers f on f.app_id = w.app_id and f.id = w.referrer_id
       left join codes c on c.app_id = w.app_id and c.assignment_id = w.id
      where w.app_id = $1`,
    [stage.ctx.app.id],
  );
  const stored = new Map(rows.map((row) => [row.reward, row]));
  const lost = load.claimed.filter(({ uid, reward, code }) => {
    const row = stored.get(reward);
    return row?.code !== code || row.uid !== uid || row.status !== "claimed";
  });
  const assigned = new Map<string, string>();
  for (const { code, referee } of load.attempts) if (code) assigned.set(`${referee} ${code}`, code);
  for (const { uid, reward, code } of load.claimed) assigned.set(`${uid} ${reward} ${code}`, code);
  return [
    ...lost.map(({ uid, code }) => `lost: ${uid} claimed ${code}, which the database does not confirm`),
    ...repeated([...assigned.values()]).map((code) => `double: ${code} was assigned twice`),
    ...repeated(rows.flatMap(({ code, reward }) => (code ? [reward] : []))).map(
      (reward) => `double: reward ${reward} has two codes`,
    ),
  ];
}

async function referrers({ stage, load }: RunFacts): Promise<string[]> {
  const rows = await read<{ uid: string; slug: string }>(
    stage,
    "select uid, slug from referrers where app_id = $1",
    [stage.ctx.app.id],
  );
  const stored = new Map(rows.map(({ uid, slug }) => [uid, slug]));
  return [...load.metacodes].flatMap(([uid, metacodes]) =>
    metacodes.size === 1 && metacodes.has(stored.get(uid) ?? "")
      ? []
      : [`lost: ${uid} got ${[...metacodes].join(" and ")}, stored is ${stored.get(uid)}`],
  );
}

async function confirmations({ stage, load }: RunFacts): Promise<string[]> {
  const rows = await read<{ uid: string }>(
    stage,
    "select referee_uid as uid from referrals where app_id = $1 and status = 'redeemed'",
    [stage.ctx.app.id],
  );
  const confirmed = new Set(rows.map(({ uid }) => uid));
  return load.confirmed
    .filter((uid) => !confirmed.has(uid))
    .map((uid) => `lost: the confirmation of ${uid} was acknowledged`);
}

/** Events: every change has emitted its event once. Without it the webhook is missing, which no other check notices. */
async function events({ stage }: RunFacts): Promise<string[]> {
  const rows = await read<{ type: string; subject: string; count: number }>(
    stage,
    `select c.type, c.subject, count(o.id)::int as count
       from (select 'referrer.created' as type, id as subject from referrers where app_id = $1
             union all select 'referral.code_assigned', id from referrals where app_id = $1
             union all select 'referral.redeemed', id from referrals where app_id = $1 and confirmed_at is not null
             union all select 'reward.earned', id from rewards where app_id = $1
             union all select 'reward.claimed', id from rewards where app_id = $1 and claimed_at is not null) c
       left join outbox o on o.app_id = $1 and o.type = c.type
        and coalesce(o.payload ->> 'reward_id', o.payload ->> 'referral_id', o.payload ->> 'referrer_id') = c.subject::text
      group by c.type, c.subject having count(o.id) <> 1`,
    [stage.ctx.app.id],
  );
  return rows.map(({ type, subject, count }) => `events: ${count} ${type} of ${subject}, not 1`);
}

/** Earnings: every referrer has the rewards that the confirmed referrals of each platform earn. */
async function earnings({ stage }: RunFacts): Promise<string[]> {
  const rows = await read<{ uid: string; platform: string; earned: number; due: number }>(
    stage,
    `select f.uid, r.platform, count(*)::int / $2::int as due,
            (select count(*)::int from rewards w
              where w.app_id = $1 and w.referrer_id = f.id and w.platform = r.platform) as earned
       from referrals r join referrers f on f.app_id = r.app_id and f.id = r.referrer_id
      where r.app_id = $1 and r.status = 'redeemed' group by f.id, f.uid, r.platform`,
    [stage.ctx.app.id, THRESHOLD],
  );
  return rows
    .filter(({ earned, due }) => earned !== due)
    .map(({ uid, platform, earned, due }) => `rewards: ${uid} has ${earned} on ${platform}, not ${due}`);
}

/** Webhooks: every event has its delivery, every delivery its request, and requests about one referral arrive in order. */
async function webhooks({ stage, underWay }: RunFacts): Promise<string[]> {
  const { receiver, ctx } = stage;
  const rows = await read<AcceptedEvent & { delivery: string | null; open: boolean }>(
    stage,
    `select o.id, d.lane as subject, d.id as delivery, d.status in ('pending', 'failed') as open from outbox o
       left join webhook_deliveries d on d.app_id = o.app_id and d.event_id = o.id
       join webhook_endpoints e on e.app_id = o.app_id and e.created_at < o.created_at
      where o.app_id = $1 order by d.place, o.id`,
    [ctx.app.id],
  );
  const accepted = new Set(receiver.accepted.map(({ id }) => id));
  const without = rows.filter(({ delivery }) => !delivery);
  const unsent = rows.filter(({ id, open }) => !accepted.has(id) && !(underWay && open));
  const planned = bySubject(rows);
  const arrived = bySubject(receiver.accepted);
  const disordered = [...planned].filter(([subject, ids]) => {
    const came = arrived.get(subject) ?? [];
    return came.join() !== ids.filter((id) => accepted.has(id)).join();
  });
  return [
    ...without.map(({ id }) => `webhooks: event ${id} has no delivery`),
    ...unsent.map(({ id }) => `webhooks: event ${id} never arrived`),
    ...disordered.map(([subject]) => `webhooks: the events of ${subject} arrived out of order`),
    ...receiver.forged.map((id) => `webhooks: ${id} was not signed with the endpoint's secret`),
  ];
}

/** The events of each subject in the order of their first arrival. */
function bySubject(events: AcceptedEvent[]): Map<string, string[]> {
  const subjects = new Map<string, Set<string>>();
  for (const { subject, id } of events) subjects.set(subject, (subjects.get(subject) ?? new Set()).add(id));
  return new Map([...subjects].map(([subject, ids]) => [subject, [...ids]]));
}

async function emailsAndAlerts({ stage, messages }: RunFacts): Promise<string[]> {
  if (!messages) return [];
  const arrived = new Set(stage.receiver.alerts.flatMap((text) => /alert-\d+/.exec(text) ?? []));
  return [
    ...messages.emails
      .filter((address) => messages.smtp.to(address).length === 0)
      .map((address) => `emails: the email to ${address} never arrived`),
    ...messages.alerts
      .filter((title) => !arrived.has(title))
      .map((title) => `alerts: ${title} never arrived`),
  ];
}

async function redeems({ stage, load, struck, repeating }: RunFacts): Promise<string[]> {
  const final = await readFinal(stage.databaseUrl, stage.sample);
  // Other requests use the quota as well.
  const others = load.requests - load.attempts.length;
  const attempts = repeating ? load.attempts.map((attempt) => ({ ...attempt, again: false })) : load.attempts;
  const findings = check(attempts, final, struck * SHARES_PER_FAULT + others);
  return findings.map(({ kind, text }) => `${kind}: ${text}`);
}

/** Everything that the run found wrong, one line each. */
export async function violations(facts: RunFacts, say: (line: string) => void): Promise<string[]> {
  const checks = [
    redeems,
    rewardsAndCodes,
    referrers,
    confirmations,
    earnings,
    events,
    webhooks,
    emailsAndAlerts,
  ];
  const found = [...facts.load.complaints];
  for (const run of checks) found.push(...(await run(facts)));
  const { load, messages, stage } = facts;
  const emails = messages?.emails ?? [];
  const codes = new Set(load.attempts.flatMap(({ code }) => code ?? [])).size;
  const repeats = stage.receiver.accepted.length - new Set(stage.receiver.accepted.map(({ id }) => id)).size;
  const copies = emails.reduce((sum, address) => sum + (messages?.smtp.to(address).length ?? 0), 0);
  say(
    `${load.requests} requests, ${codes} codes redeemed, ${load.confirmed.length} confirmations, ` +
      `${load.claimed.length} rewards claimed; ${stage.receiver.accepted.length - repeats} webhooks (${repeats} repeated), ` +
      `${emails.length} emails (${copies - emails.length} repeated), ${messages?.alerts.length ?? 0} alerts`,
  );
  return found;
}
