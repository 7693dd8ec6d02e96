import pg from "pg";
import { onCleanup } from "@/bench/cleanup";
import { printTable, printTarget } from "@/bench/print";
import type { Stage } from "@/bench/stage";
import { createBenchTenant } from "@/bench/tenant";
import { DAY_MS, formatNumber } from "@/lib/contract/format";
import { openDatabase } from "@/lib/platform/db/client";
import { sweepApp } from "@/lib/program/retention/sweep-tenant";
import { median } from "@/lib/testing/numbers";

/** Requests a day at which the tables must stay bounded. */
const REQUESTS = 10_000_000;

const DAYS = 5;

interface Grown {
  /** Rows per request: every third request redeems and sends one event to one endpoint, and every second redeem is confirmed. */
  share: number;
  /** Days that a row stays. */
  age: number;
  columns: string;
  values: string;
}

/** `v.id` and `v.at`: an id and its time, `v.n`: the number of the row, `$1`: the app. */
const GROWN: Record<string, Grown> = {
  request_log: {
    share: 1,
    age: 30,
    columns: "id, created_at, key_id, method, path, status, micros",
    values: "v.id, v.at, $1::uuid, 'POST', '/referee-redeem', 200, 1500",
  },
  request_subjects: {
    share: 1,
    age: 7,
    columns: "id, created_at, uid, metacode, platform",
    values: "v.id, v.at, 'friend-' || v.n, 'anna1234', 'ios'",
  },
  idempotency_keys: {
    share: 1 / 3,
    age: 1,
    columns: "created_at, operation, key, request_hash, result",
    values: `v.at, 'redeem', 'key-' || v.id, '\\x00', '{"verdict": "OK", "code": "ABCDEFGHIJKLMNOPQR"}'`,
  },
  outbox: {
    share: 1 / 2,
    age: 7,
    columns: "id, created_at, type, payload",
    values: `v.id, v.at, 'referral.code_assigned', jsonb_build_object('referral_id', v.id, 'referee_uid', 'friend-' || v.n)`,
  },
  webhook_deliveries: {
    share: 1 / 2,
    age: 30,
    columns: "id, created_at, endpoint_id, event_id, event_type, payload, status, attempts, delivered_at",
    values: `v.id, v.at, $1::uuid, v.id, 'referral.code_assigned', jsonb_build_object('referral_id', v.id), 'delivered', 1, v.at`,
  },
  webhook_attempts: {
    share: 1 / 2,
    age: 30,
    columns: "delivery_id, created_at, number, ms, request_headers, response_status",
    values: `v.id, v.at, 1, 20, '{"content-type": "application/json"}', 200`,
  },
  provider_events: {
    share: 1 / 6,
    age: 90,
    columns: "id, created_at, connection_id, event_id, type, uids, confirmation, verdict, headers, payload",
    values: `v.id, v.at, $1::uuid, 'event-' || v.id, 'INITIAL_PURCHASE', array['friend-' || v.n], '{}', 'confirmed', '{}', '{}'`,
  },
};

/** Adds a day's rows, one day younger than their retention at `now`; returns their number. */
async function addDay(db: pg.Client, app: string, now: number, requests: number): Promise<number> {
  let added = 0;
  for (const [table, { share, age, columns, values }] of Object.entries(GROWN)) {
    const { rowCount } = await db.query(
      `insert into ${table} (app_id, ${columns})
       select $1::uuid, ${values}
         from (select t.n, t.at, (left(first_id(t.at)::text, 14) || substr(gen_random_uuid()::text, 15))::uuid as id
                 from (select n, $2::timestamptz + n * interval '1 day' / $3::int as at
                         from generate_series(0, $3::int - 1) n) t) v`,
      [app, new Date(now - age * DAY_MS), Math.round(requests * share)],
    );
    added += rowCount ?? 0;
  }
  return added;
}

async function megabytes(db: pg.Client): Promise<number> {
  const { rows } = await db.query<{ bytes: string }>(
    "select sum(pg_total_relation_size(t::regclass)) as bytes from unnest($1::text[]) t",
    [Object.keys(GROWN)],
  );
  return Number(rows[0]?.bytes) / 1_048_576;
}

/**
 * Measures the purge of a day's rows of one app in every table that grows with its requests, day after day: its time, and
 * whether the tables stay at two days of rows (one new, one deleted). With a twentieth of a day's rows; `--quick`: a hundredth.
 */
export async function benchRetention({ url, quick }: Stage): Promise<void> {
  const requests = REQUESTS / (quick ? 100 : 20);
  const app = (await createBenchTenant(url)).app_id;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onCleanup(() => client.end());
  await client.query("update apps set request_log_days = 30, payload_days = 90 where id = $1", [app]);
  await client.query(
    "insert into rollup_cursors (app_id, last_id, rolled_at) values ($1, 'ffffffff-ffff-ffff-ffff-ffffffffffff', now()) on conflict (app_id) do update set last_id = excluded.last_id",
    [app],
  );
  const db = openDatabase({ url, size: 1 });
  onCleanup(() => db.close());
  const start = Date.now() + DAY_MS;
  const days: { seconds: number; rows: number; size: number }[] = [];
  await addDay(client, app, start, requests);
  for (let day = 1; day <= DAYS; day++) {
    const now = start + day * DAY_MS;
    const rows = await addDay(client, app, now, requests);
    const size = await megabytes(client);
    const started = performance.now();
    const swept = await sweepApp(db, app, new Date(now));
    days.push({ seconds: (performance.now() - started) / 1_000, rows, size });
    if (swept < rows) throw new Error(`The purge left rows: ${swept} of ${rows}`);
    // Autovacuum does the same after this many changes.
    await client.query(`vacuum ${Object.keys(GROWN).join(", ")}`);
  }
  printTable(
    `a day of ${formatNumber(requests)} requests`,
    ["rows", "size MB", "purge s", "rows/s"],
    days.map(({ rows, size, seconds }, index) => [
      `day ${index + 1}`,
      formatNumber(rows),
      size.toFixed(0),
      seconds.toFixed(1),
      formatNumber(Math.round(rows / seconds)),
    ]),
  );
  const perDay =
    (median(days.map(({ seconds, rows }) => seconds / rows)) * (days[0]?.rows ?? 0) * REQUESTS) / requests;
  printTarget("hours of purge for a day of 10 million requests", perDay / 3_600, { most: 1 });
  // The first purge leaves free space in the pages, which later days use again.
  printTarget("size, last day / second", (days.at(-1)?.size ?? 0) / (days[1]?.size ?? 1), { most: 1.05 });
}
