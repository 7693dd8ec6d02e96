import { sql } from "drizzle-orm";
import type { KeySummary } from "@/lib/contract/api-key";
import { formatCount, formatDateTime, formatNumber, formatRelative } from "@/lib/contract/format";
import { type Fact, listed } from "@/lib/outward/integration/fact";
import { requestLog } from "@/lib/platform/db/schema";
import { SCAN_ROWS } from "@/lib/platform/db/walk";
import { listKeys } from "@/lib/tenants/api-keys/list";
import type { Context } from "@/lib/tenants/context";

/** The logged requests of one key to one endpoint. */
interface KeyRequests extends Record<string, unknown> {
  key_id: string;
  endpoint: string;
  requests: number;
  /** Requests that were answered 401, because the key had been revoked or had expired. */
  ended: number;
  /** Scopes that the key lacked. */
  lacked: string[];
  refused_scope: number;
  last: Date;
}

/** Each working key with its use, and each ended key that is still sent. */
export async function checkKeys(ctx: Context): Promise<Fact[]> {
  const keys = await listKeys(ctx);
  const requests = await requestsByKey(ctx);
  const works = ({ state }: KeySummary) => state === "active" || state === "expiring";
  const requestsOf = ({ id }: KeySummary) => requests.filter((row) => row.key_id === id);
  const working = keys.filter(works).map((key) => workingKey(key, requestsOf(key)));
  const ended = keys.filter((key) => !works(key)).flatMap((key) => endedKey(key, requestsOf(key)));
  return [...(working.length > 0 ? working : [noKey]), ...ended];
}

/** The newest requests of the log, along its primary key. */
export function newestRequests(appId: string) {
  return sql`
    select key_id, split_part(path, '/', 3) as endpoint, error_code, created_at,
           substring(message from 'does not have the scope ([^ ,]+)') as scope
      from ${requestLog} where app_id = ${appId} order by app_id desc, id desc limit ${SCAN_ROWS}`;
}

async function requestsByKey({ db, app }: Context): Promise<KeyRequests[]> {
  const { rows } = await db.orm.execute<KeyRequests>(sql`
    select key_id, endpoint, count(*)::int as requests, max(created_at) as last,
           count(*) filter (where error_code = 'UNAUTHORIZED')::int as ended,
           count(*) filter (where error_code = 'FORBIDDEN' and scope is not null)::int as refused_scope,
           coalesce(array_agg(distinct scope) filter (where error_code = 'FORBIDDEN' and scope is not null), '{}')
             as lacked
      from (${newestRequests(app.id)}) newest
     group by key_id, endpoint order by requests desc, endpoint`);
  return rows.map((row) => ({ ...row, last: new Date(row.last) }));
}

const COMMON = { topic: "keys", path: "/keys" } as const;

const noKey: Fact = {
  ...COMMON,
  subject: "none",
  rows: [],
  state: "warning",
  title: "No API key works",
  evidence: ["Create one: your app and your server need it to call the API."],
  action: "Create a key",
  needs: "admin",
};

function workingKey(key: KeySummary, requests: KeyRequests[]): Fact {
  const { id, name, lastUsedAt, scopes, expiresAt } = key;
  const refused = requests.reduce((sum, row) => sum + row.refused_scope, 0);
  const lacked = [...new Set(requests.flatMap((row) => row.lacked))].sort();
  const endpoints = requests.map(({ endpoint, requests: count }) => `/${endpoint} ${formatNumber(count)}`);
  return {
    ...COMMON,
    subject: id,
    rows: [id],
    state: refused > 0 ? "warning" : expiresAt ? "hint" : lastUsedAt ? "good" : "idle",
    title: name,
    evidence: [
      lastUsedAt ? `Last used ${formatRelative(lastUsedAt)}.` : "Never used.",
      ...(expiresAt
        ? [`It expires on ${formatDateTime(expiresAt)}: replace it where it is still used.`]
        : []),
      ...(endpoints.length > 0 ? [`Requests in the log: ${endpoints.join(", ")}.`] : []),
      `Scopes: ${scopes.join(", ")}.`,
      ...(refused > 0
        ? [
            `Refused ${formatCount(refused, "time")}, because it lacks ${listed.format(lacked)}. Use a key that has the scope: a key’s scopes cannot be changed.`,
          ]
        : []),
    ],
    action: refused > 0 ? "Create a key" : "Open keys",
    needs: refused > 0 ? "admin" : "viewer",
  };
}

function endedKey({ id, name, state }: KeySummary, requests: KeyRequests[]): Fact[] {
  const sent = requests.filter(({ ended }) => ended > 0);
  if (sent.length === 0) return [];
  const last = new Date(Math.max(...sent.map((row) => row.last.getTime())));
  const count = sent.reduce((sum, row) => sum + row.ended, 0);
  return [
    {
      ...COMMON,
      subject: id,
      rows: [id],
      state: "warning",
      title: `${name} has ${state === "revoked" ? "been revoked" : "expired"} and is still sent`,
      evidence: [
        `Refused ${formatCount(count, "time")} with 401, last ${formatRelative(last)}. Replace it where it is used: ${listed.format(sent.map(({ endpoint }) => `/${endpoint}`))}.`,
      ],
      action: "Open keys",
    },
  ];
}
