import { DAY_MS, isoDay } from "@/lib/contract/format";
import { storablePath } from "@/lib/outward/request-log/path";
import type { PendingRequests } from "@/lib/outward/request-log/pending";
import { sqlFunction } from "@/lib/platform/db/calls";
import type { Db } from "@/lib/platform/db/client";

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
}).returns<void>();

const MAX_MESSAGE = 500;

/** A typed metacode may be any text; its beginning tells what was meant. */
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
  return metacode === undefined ? null : metacode.replaceAll("\0", "").slice(0, MAX_METACODE).toWellFormed();
}

/** Stores requests in one statement. Repeating it has no effect, so a lost response may be retried. */
export async function storeRequests(db: Db, { appId, listed, counts }: PendingRequests): Promise<void> {
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
    uids: listed.map(({ subject }) => subject?.uid ?? null),
    metacodes: listed.map(({ subject }) => storableMetacode(subject?.metacode)),
    platforms: listed.map(({ subject }) => subject?.platform ?? null),
    count_keys: counts.map(({ keyId }) => keyId),
    count_days: counts.map(({ day }) => isoDay(day * DAY_MS)),
    requests: counts.map(({ requests }) => requests),
    refused: counts.map(({ refused }) => refused),
    failed: counts.map(({ failed }) => failed),
    unlisted: counts.map(({ unlisted }) => unlisted),
  });
}
