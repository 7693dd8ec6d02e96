import { sql } from "drizzle-orm";
import pLimit, { type LimitFunction } from "p-limit";
import { createSender, type DeliveryOptions, type TakenDelivery } from "@/lib/outward/webhooks/deliver";
import { SCHEDULE, type Schedule } from "@/lib/outward/webhooks/schedule";
import { jsonb, sqlFunction } from "@/lib/platform/db/calls";
import type { Db } from "@/lib/platform/db/client";
import type { DueRows } from "@/lib/platform/jobs/backlog";
import type { Queue } from "@/lib/platform/jobs/queue";

/** Deliveries that a process leases in total, more than the endpoints of one app can hold, and in one statement. */
const CONCURRENCY = 6_144;
const AT_ONCE = 1_024;

/**
 * Concurrent requests of a process, and among them those of one app and those to slow endpoints. Test events, of which
 * an endpoint gets one at a time, wait for none of these.
 */
const REQUESTS = 256;
const APP_REQUESTS = 64;
const SLOW_REQUESTS = 128;
const TEST_REQUESTS = 64;

/**
 * Milliseconds after which an attempt makes its endpoint slow, faster attempts in a row that end this, and slow
 * endpoints that are remembered.
 */
const SLOW_MS = 1_000;
const FAST_ATTEMPTS = 8;
const REMEMBERED = 1_000;

const TAKE_WEBHOOKS = sqlFunction("take_webhooks", {
  limit: "int",
  endpoints: "uuid[]",
  counts: "int[]",
  rules: jsonb<Schedule>(),
  slow: "uuid[]",
}).returns<TakenDelivery[]>();

/** Wakes deliveries that wait for their endpoint. */
export const WAKE_WEBHOOKS = sqlFunction("wake_webhooks", {
  app: "uuid",
  endpoint: "uuid",
  limit: "int",
  at: "timestamptz?",
}).returns<number>();

/** Ends the busy time of an endpoint that has caught up. */
export const END_BUSY_WEBHOOKS = sqlFunction("end_busy_webhooks", {
  app: "uuid",
  endpoint: "uuid",
  late: "float8",
}).returns<boolean>();

const dueWebhooks = (app?: string, also = sql``) => sql`
  select d.app_id, d.wake_at as at from webhook_deliveries d
   where d.wake_at <= now() and d.status not in ('delivered', 'dead') ${app ? sql`and d.app_id = ${app}` : sql``} ${also}
   order by d.wake_at`;

const NO_SENDER = sql`and not exists (
  select from webhook_deliveries l
   where l.app_id = d.app_id and l.endpoint_id = d.endpoint_id and l.leased_until > now())`;

/**
 * Due deliveries that no process handles. One that waits for its endpoint or for another delivery is due later. Those
 * of an endpoint to which a process is sending do not count, because it answers slower than events arrive.
 */
export const DUE_WEBHOOKS: DueRows = { name: "webhooks", select: (app) => dueWebhooks(app, NO_SENDER) };

/** The deliveries of one endpoint that this process holds. */
interface Line {
  count: number;
  limit: LimitFunction;
  /** For test events, which do not wait behind the others. */
  tests: LimitFunction;
  /** Deliveries taken before this time are no longer sent. */
  closedAt: number;
}

const turnsOf = (parallel: number) => ({ limit: pLimit(parallel), tests: pLimit(1) });

const isTest = ({ type }: TakenDelivery) => type === "webhook.test";

/** The webhook deliveries that are due, of all apps. */
export function webhookQueue(db: Db, options: DeliveryOptions = {}): Queue<TakenDelivery> {
  const { schedule = SCHEDULE } = options;
  const sender = createSender(db, options);
  const requests = pLimit(REQUESTS);
  const slowRequests = pLimit(SLOW_REQUESTS);
  const testRequests = pLimit(TEST_REQUESTS);
  /** Slow endpoints, each with the number of fast attempts that it still needs. */
  const slow = new Map<string, number>();
  const noteSpeed = (endpoint: string, ms: number) => {
    const lacks = ms > SLOW_MS ? FAST_ATTEMPTS : (slow.get(endpoint) ?? 1) - 1;
    slow.delete(endpoint);
    if (lacks > 0) slow.set(endpoint, lacks);
    const [longest] = slow.keys();
    if (longest && slow.size > REMEMBERED) slow.delete(longest);
  };
  const attempt = async (taken: TakenDelivery, isLate: () => boolean) => {
    const turn = isTest(taken) ? testRequests : requests;
    const send = () => turn(async () => (isLate() ? undefined : sender.attempt(taken)));
    const result = await (slow.has(taken.endpoint) && !isTest(taken) ? slowRequests(send) : send());
    if (result) noteSpeed(taken.endpoint, result.attempt.ms);
    return result;
  };
  const shares = new Map<string, { count: number; limit: LimitFunction }>();
  const lines = new Map<string, Line>();
  return {
    name: DUE_WEBHOOKS.name,
    due: dueWebhooks(),
    take: (limit) => {
      const held = [...lines];
      return db.call(TAKE_WEBHOOKS, {
        limit,
        endpoints: held.map(([endpoint]) => endpoint),
        counts: held.map(([, { count }]) => count),
        rules: schedule,
        slow: [...slow.keys()],
      });
    },
    extend: sender.extend,
    lease: schedule.lease,
    work: async (taken) => {
      const since = performance.now();
      const line = lines.get(taken.endpoint) ?? { ...turnsOf(schedule.parallel), count: 0, closedAt: 0 };
      lines.set(taken.endpoint, line);
      line.count += 1;
      const share = shares.get(taken.app) ?? { count: 0, limit: pLimit(APP_REQUESTS) };
      shares.set(taken.app, share);
      share.count += 1;
      const isLate = () => line.closedAt > since || performance.now() - since > 1_000 * schedule.patience;
      try {
        const turn = isTest(taken) ? line.tests : line.limit;
        const { stored } = await turn(async () => {
          const send = () => attempt(taken, isLate);
          const result = isLate() ? undefined : await (isTest(taken) ? send() : share.limit(send));
          if (!result) return { stored: sender.giveBack(taken) };
          const stored = sender.store(result);
          // The next request waits for a failure to be stored, because it may be the one that slows the endpoint.
          if (result.attempt.error !== null && (await stored).closed) line.closedAt = performance.now();
          return { stored };
        });
        await stored;
      } finally {
        line.count -= 1;
        if (line.count === 0) lines.delete(taken.endpoint);
        share.count -= 1;
        if (share.count === 0) shares.delete(taken.app);
      }
    },
    concurrency: CONCURRENCY,
    atOnce: AT_ONCE,
  };
}
