import { DAY_MS, isoDay } from "@/lib/contract/format";
import { storablePath } from "@/lib/outward/request-log/path";
import {
  type CallerKey,
  type LoggedDetails,
  type LoggedRequest,
  PendingRequests,
} from "@/lib/outward/request-log/pending";
import { sqlFunction } from "@/lib/platform/db/calls";
import { type Db, database } from "@/lib/platform/db/client";
import { isOutage } from "@/lib/platform/db/outage";
import { withoutKeys } from "@/lib/platform/describe-error";
import { log } from "@/lib/platform/log";
import { singleton } from "@/lib/platform/singleton";
import { WriteBehind } from "@/lib/platform/write-behind";
import { uidHashIn } from "@/lib/program/end-users/pseudonym";

const STORE_REQUESTS = sqlFunction("store_requests", {
  app: "uuid",
  ids: "uuid[]",
  keys: "uuid[]",
  methods: "text[]",
  paths: "text[]",
  statuses: "int[]",
  codes: "text?[]",
  messages: "text?[]",
  micros: "int[]",
  times: "timestamptz[]",
  uids: "text?[]",
  metacodes: "text?[]",
  platforms: "text?[]",
  count_keys: "uuid[]",
  count_days: "date[]",
  requests: "int[]",
  refused: "int[]",
  failed: "int[]",
  unlisted: "int[]",
  hashes: "bytea?[]",
  unbudgeted: "int[]",
}).returns<void>();

const MAX_MESSAGE = 500;

/** A typed metacode may be any text; its beginning shows what was meant. */
const MAX_METACODE = 64;

/** PostgreSQL's largest `integer`: 35 minutes. */
const MAX_MICROS = 2_147_483_647;

function micros(ms: number): number {
  return Math.min(Math.round(ms * 1_000), MAX_MICROS);
}

function storableMessage(message: string): string {
  return message.replaceAll("\0", "").slice(0, MAX_MESSAGE).toWellFormed();
}

function storableMetacode(metacode: string | undefined): string | null {
  if (metacode === undefined) return null;
  return withoutKeys(metacode.replaceAll("\0", "")).slice(0, MAX_METACODE).toWellFormed();
}

/** Stores requests in one statement. Repeating it has no effect, so a lost response may be retried. */
async function storeRequests(db: Db, { appId, listed, counts }: PendingRequests): Promise<void> {
  await db.call(STORE_REQUESTS, {
    app: appId,
    ids: listed.map(({ request }) => request.request_id),
    keys: listed.map(({ keyId }) => keyId),
    methods: listed.map(({ request }) => request.method),
    paths: listed.map(({ request }) => storablePath(request.path)),
    statuses: listed.map(({ request }) => request.status),
    codes: listed.map(({ request }) => request.error ?? null),
    messages: listed.map(({ message }) => (message === undefined ? null : storableMessage(message))),
    micros: listed.map(({ request }) => micros(request.ms)),
    times: listed.map(({ at }) => new Date(at)),
    uids: listed.map(({ subject }) => (subject ? withoutKeys(subject.uid) : null)),
    metacodes: listed.map(({ subject }) => storableMetacode(subject?.metacode)),
    platforms: listed.map(({ subject }) => subject?.platform ?? null),
    count_keys: counts.map(({ keyId }) => keyId),
    count_days: counts.map(({ day }) => isoDay(day * DAY_MS)),
    requests: counts.map(({ requests }) => requests),
    refused: counts.map(({ refused }) => refused),
    failed: counts.map(({ failed }) => failed),
    unlisted: counts.map(({ unlisted }) => unlisted),
    hashes: listed.map(({ subject }) => (subject ? uidHashIn(appId, subject.uid) : null)),
    unbudgeted: counts.map(({ unbudgeted }) => unbudgeted),
  });
}

/** Maximum listed requests in memory; further requests are only counted. */
const MAX_LISTED = 5_000;

/**
 * Answered requests waiting for the database, written once a second, app by app. Adding one costs two look-ups and
 * at most one small object. A crash loses at most a second of requests.
 */
export class RequestBuffer extends WriteBehind {
  private pending = new Map<string, PendingRequests>();
  /** Already sent and perhaps stored: retried unchanged, before any newer requests of the app. */
  private readonly tried = new Map<string, PendingRequests>();
  private listed = 0;

  constructor(private readonly db: () => Db) {
    super();
  }

  /** Adds an answered request of a key or a provider's connection. Never throws. */
  add(key: CallerKey, request: LoggedRequest, details: LoggedDetails): void {
    let pending = this.pending.get(key.app.id);
    if (!pending) {
      pending = new PendingRequests(key.app.id);
      this.pending.set(key.app.id, pending);
    }
    const before = pending.listed.length;
    pending.add(key, request, details, this.listed < MAX_LISTED);
    this.listed += pending.listed.length - before;
    this.arm();
  }

  protected async write(): Promise<void> {
    for (const pending of [...this.tried.values()]) await this.store(pending);
    const fresh = [...this.pending.values()].filter(({ appId }) => !this.tried.has(appId));
    for (const pending of fresh) {
      this.pending.delete(pending.appId);
      await this.store(pending);
    }
    if (this.tried.size > 0 || this.pending.size > 0) this.arm();
  }

  private async store(pending: PendingRequests): Promise<void> {
    try {
      await storeRequests(this.db(), pending);
    } catch (error) {
      const retry = isOutage(error);
      const requests = pending.counts.reduce((sum, count) => sum + count.requests, 0);
      log().warn({ err: error, requests, retry }, "Requests could not be stored");
      if (retry) {
        this.tried.set(pending.appId, pending);
        return;
      }
    }
    this.tried.delete(pending.appId);
    this.listed -= pending.listed.length;
  }
}

/** The process's buffer. */
export function requestBuffer(): RequestBuffer {
  return singleton("requests.buffer", () => new RequestBuffer(database));
}

/** Writes the pending requests; for a clean shutdown. */
export function flushRequests(): Promise<void> {
  return requestBuffer().flush();
}
