import { eq, sql } from "drizzle-orm";
import pLimit from "p-limit";
import { endpointSubject, ownEndpoint } from "@/lib/outward/webhooks/endpoints";
import { SCHEDULE, type Schedule } from "@/lib/outward/webhooks/schedule";
import {
  readEndpointSecrets,
  signedHeaders,
  type WebhookMessage,
  webhookBodyOf,
} from "@/lib/outward/webhooks/sign";
import { increase } from "@/lib/platform/counters";
import { jsonb, sqlFunction } from "@/lib/platform/db/calls";
import { databaseNow } from "@/lib/platform/db/chunks";
import type { Db } from "@/lib/platform/db/client";
import { apps, webhookEndpoints } from "@/lib/platform/db/schema";
import { EgressError } from "@/lib/platform/egress/failure";
import { type EgressRequest, type EgressResponse, sendRequest } from "@/lib/platform/egress/send";
import { Gathered } from "@/lib/platform/jobs/gathered";
import { untilStored } from "@/lib/platform/jobs/until-stored";
import { systemContext } from "@/lib/tenants/apps/app";
import { recordAudit } from "@/lib/tenants/audit/record";

/** Sends a request; throws without a response. */
export type SendRequest = (request: EgressRequest) => Promise<EgressResponse>;

/** An attempt as it is stored. */
interface DeliveryAttempt {
  request_headers: Record<string, string>;
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
  ms: number;
  /** Null for a success. */
  error: string | null;
}

/** Replaced by tests. */
export interface DeliveryOptions {
  schedule?: Schedule;
  send?: SendRequest;
}

/** A delivery that this process has leased, with the secrets of its endpoint as they are stored. */
export type TakenDelivery = {
  state: "taken";
  app: string;
  endpoint: string;
  id: string;
  takes: number;
  url: string;
} & WebhookMessage;

interface Finished {
  status: "delivered" | "failed" | "dead" | "stale";
}

interface FinishedFailure extends Finished {
  /** Set when a failure changes the endpoint's health; the last two disable it. */
  news?: "warned" | "gone" | "failing" | null;
  endpoint?: string;
  /** Nothing may be sent to the endpoint for now: it is slowed or disabled. */
  closed?: boolean;
}

const FINISH_WEBHOOK = sqlFunction("finish_webhook", {
  app: "uuid",
  id: "uuid",
  takes: "int",
  attempt: jsonb<DeliveryAttempt>(),
  rules: jsonb<Schedule>(),
}).returns<FinishedFailure>();

const FINISH_WEBHOOKS = sqlFunction("finish_webhooks", {
  results: jsonb<DeliveryResult[]>(),
}).returns<Finished[]>();

interface DeliveryResult {
  app: string;
  id: string;
  takes: number;
  attempt: DeliveryAttempt;
}

const RETURN_WEBHOOKS = sqlFunction("return_webhooks", {
  apps: "uuid[]",
  ids: "uuid[]",
  takes: "int[]",
}).returns<void>();

/** Milliseconds for which outcomes are gathered and then stored in one statement. */
const GATHER_MS = 50;

/**
 * Sends leased deliveries and stores the outcomes, many in a statement. If the process dies, another one sends its
 * deliveries with the same `webhook-id`.
 */
interface Sender {
  /** Attempts a delivery once. Never throws: a failure is a result. */
  attempt(taken: TakenDelivery): Promise<DeliveryResult>;
  /** Stores the result of an attempt; `closed` if nothing may be sent to the endpoint for now. */
  store(result: DeliveryResult): Promise<Pick<FinishedFailure, "status" | "closed">>;
  /** Ends the lease of a delivery that was not sent. */
  giveBack(taken: TakenDelivery): Promise<void>;
  /** Extends the leases of deliveries that are under way or wait for their turn. */
  extend(taken: TakenDelivery[]): Promise<void>;
}

/** A sender over the connections of `db`. */
export function createSender(db: Db, { schedule = SCHEDULE, send = sendRequest }: DeliveryOptions): Sender {
  const successes = new Gathered<DeliveryResult, Finished>(GATHER_MS, (results) =>
    db.call(FINISH_WEBHOOKS, { results }),
  );
  const returned = new Gathered<TakenDelivery, null>(GATHER_MS, async (taken) => {
    const column = <Name extends "app" | "id" | "takes">(name: Name) => taken.map((row) => row[name]);
    await db.call(RETURN_WEBHOOKS, { apps: column("app"), ids: column("id"), takes: column("takes") });
    return taken.map(() => null);
  });
  return {
    attempt: async (taken) => {
      const { app, id, takes } = taken;
      const secrets = readEndpointSecrets(taken, taken.endpoint);
      const attempt = secrets ? await attemptDelivery({ ...taken, ...secrets }, send) : UNSIGNED;
      increase("webhook_attempts", attempt.error === null ? "delivered" : "failed");
      return { app, id, takes, attempt };
    },
    store: (result) =>
      untilStored(() =>
        result.attempt.error === null ? successes.add(result) : finishFailure(db, result, schedule),
      ),
    giveBack: async (taken) => {
      await returned.add(taken);
    },
    extend: (taken) => extend(db, taken, schedule.lease),
  };
}

/** Apps whose leases are extended at once. */
const EXTENDED_APPS = 4;

/**
 * Extends leases, except of locked rows, which are being finished. Each app gets its own statement, because it may be
 * on another server: while one server is away, the leases of the apps on the others are extended.
 */
async function extend(db: Db, taken: TakenDelivery[], seconds: number): Promise<void> {
  const until = sql`now() + make_interval(secs => ${seconds}::float8)`;
  const next = pLimit(EXTENDED_APPS);
  const extendApp = (app: string) => {
    const held = taken.filter((delivery) => delivery.app === app);
    return db.orm.execute(sql`
      update webhook_deliveries d set leased_until = ${until}, wake_at = ${until}
       where d.app_id = ${app} and d.id = any(array(
         select w.id
           from unnest(${sql.param(held.map(({ id }) => id))}::uuid[], ${sql.param(held.map(({ takes }) => takes))}::int[]) t (id, takes)
           join webhook_deliveries w on w.app_id = ${app} and w.id = t.id and w.takes = t.takes
          where w.leased_until is not null
            for update of w skip locked))`);
  };
  const apps = new Set(taken.map(({ app }) => app));
  await Promise.all([...apps].map((app) => next(() => extendApp(app))));
}

/** The attempt at a delivery that cannot be signed. It is retried, so a new secret or the missing key sends it. */
const UNSIGNED: DeliveryAttempt = {
  request_headers: {},
  status: null,
  headers: null,
  body: null,
  ms: 0,
  error: "Not sent: the signing secret cannot be read. Rotate the endpoint's secret",
};

/** Sends an event once. Never throws: a failure is the result of the attempt. */
export async function attemptDelivery(
  message: WebhookMessage & { url: string },
  send: SendRequest,
): Promise<DeliveryAttempt> {
  const start = performance.now();
  let headers: Record<string, string> = {};
  try {
    const body = webhookBodyOf(message);
    headers = signedHeaders(message, body, new Date(databaseNow()));
    const response = await send({ url: message.url, method: "POST", headers, body });
    const { status, ms } = response;
    const error = failureOf(status);
    return { request_headers: headers, status, headers: response.headers, body: response.body, ms, error };
  } catch (thrown) {
    const error = thrown instanceof EgressError ? thrown.message : "The request failed";
    const ms = Math.round(performance.now() - start);
    return { request_headers: headers, status: null, headers: null, body: null, ms, error };
  }
}

function failureOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `Returned ${status}. Redirects are not followed`;
  if (status === 410) return "Returned 410: the endpoint wants no more events";
  return `Returned ${status}`;
}

async function finishFailure(db: Db, result: DeliveryResult, schedule: Schedule): Promise<FinishedFailure> {
  const { app } = result;
  // Only a failure can disable the endpoint; the audit entry is written in the same transaction.
  return db.transaction(async (tx) => {
    const finished = await tx.call(FINISH_WEBHOOK, { ...result, rules: schedule });
    const { news, endpoint } = finished;
    if (endpoint && (news === "gone" || news === "failing")) {
      await auditDisabled(tx, { app, endpoint, reason: news });
    }
    return finished;
  });
}

async function auditDisabled(
  db: Db,
  { app, endpoint, reason }: { app: string; endpoint: string; reason: "gone" | "failing" },
): Promise<void> {
  const [row] = await db.orm.select().from(apps).where(eq(apps.id, app));
  if (!row || row.deletedAt) return;
  const ctx = systemContext(db, row);
  const [disabled] = await db.orm.select().from(webhookEndpoints).where(ownEndpoint(ctx, endpoint));
  if (!disabled) return;
  const subject = endpointSubject(disabled);
  await recordAudit(db, ctx, { action: "webhook.disabled", ...subject, after: { reason } });
}
