import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { registerRequests } from "@/lib/outward/metrics/requests";
import { countedBacklogs } from "@/lib/outward/problems/backlogs";
import { broadcast, onBroadcast } from "@/lib/platform/broadcast/broadcast";
import { Cache } from "@/lib/platform/cache";
import { COUNTERS, type CounterName, readCounter } from "@/lib/platform/counters";
import { type Db, database } from "@/lib/platform/db/client";
import { type Backlog, MAX_COUNTED } from "@/lib/platform/jobs/backlog";
import { limiterFallsBack } from "@/lib/platform/limits/outage";
import { log } from "@/lib/platform/log";
import { unreadableSecrets } from "@/lib/platform/secrets/reseal";
import { singleton } from "@/lib/platform/singleton";
import { leasedUnits } from "@/lib/tenants/quota/lease";

/** Pools in one state, of all apps that are not deleted. */
interface PoolState extends Record<string, unknown> {
  /** `empty`: no code is left; `low`: at most the pool's low stock, so its owner was notified; else `filled`. */
  state: "empty" | "low" | "filled";
  pools: number;
  /** By the roll-up's figures, at most a minute or two old; without those set aside. */
  codes: number;
}

/** Cached for half a minute, because the statement reads every pool and batch. */
const cache = () => singleton("metrics.stock", () => new Cache<PoolState[]>(30_000, 1));

function readPoolStates(db: Db): Promise<PoolState[]> {
  return cache().get("", async () => {
    const { rows } = await db.orm.execute<PoolState>(sql`
      select case when free <= 0 then 'empty' when low_since is not null then 'low' else 'filled' end as state,
             count(*)::int as pools, sum(free)::float8 as codes
        from (select p.low_since, coalesce(sum(b.size - coalesce(c.given, 0) - coalesce(s.codes, 0)), 0) as free
                from pools p
                join apps a on a.id = p.app_id and a.deleted_at is null
                left join batches b on b.app_id = p.app_id and b.pool_id = p.id and b.state = 'ready'
                                   and (b.expires_at is null or b.expires_at > now())
                left join batch_counts c on c.app_id = b.app_id and c.batch_id = b.id
                left join (select l.app_id, k.batch_id, count(*) as codes
                             from referees_in_line l join codes k on k.app_id = l.app_id and k.id = l.code_id
                            where l.code_id is not null
                            group by l.app_id, k.batch_id) s on s.app_id = b.app_id and s.batch_id = b.id
               group by p.app_id, p.id, p.low_since) stock
       group by 1`);
    return rows;
  });
}

/** Interval of the samples of the event loop's delay; the library's default of 10 ms keeps an idle process busy. */
const LOOP_SAMPLE_MS = 100;

type Gauges = Record<string, readonly [help: string, label: string]>;

/** Gauges that any process reads from the database: help and label, by the part of the name after `metacode_`. */
const INSTALLATION = {
  database_up: [
    "1 if the database has just answered, else 0, and the figures that it holds are left out",
    "",
  ],
  oldest_due_seconds: [
    "Seconds for which the oldest due row of a queue or round has waited, or pages were not answered",
    "queue",
  ],
  due_rows: [`Due rows of a queue or round, counted up to ${MAX_COUNTED}`, "queue"],
  pools: ["Pools of all apps by state: empty, low or filled", "state"],
  free_codes: ["Free codes of all pools in a state, at most two minutes old", "state"],
} as const satisfies Gauges;

const OF_PROCESS = {
  db_connections: ["Connections of this process's pool, and requests that wait for one", "state"],
  quota_leased_units: ["Units of quota that this process has taken in advance and not spent", ""],
  limiter_down: ["1 while this process counts limits for itself, because the store is away", ""],
  unreadable_secrets: ["Secrets in use that no key opened when this process last read them", ""],
} as const satisfies Gauges;

function addGauges<Names extends Gauges>(registry: Registry, names: Names): Record<keyof Names, Gauge> {
  const gauges = Object.entries(names).map(([name, [help, label]]) => [
    name,
    new Gauge({ name: `metacode_${name}`, help, labelNames: label ? [label] : [], registers: [registry] }),
  ]);
  return Object.fromEntries(gauges);
}

/** Turns the process's counters into metrics at each collection. */
function addCounters(registry: Registry): void {
  for (const [name, { label, help }] of Object.entries(COUNTERS)) {
    new Counter({
      name: `metacode_${name}_total`,
      help,
      labelNames: label ? [label] : [],
      registers: [registry],
      collect() {
        this.reset();
        for (const [value, count] of readCounter(name as CounterName)) {
          this.inc(label ? { [label]: value } : {}, count);
        }
      },
    });
  }
}

const installation = () =>
  singleton("metrics.installation", () => {
    const registry = new Registry();
    return { registry, gauges: addGauges(registry, INSTALLATION) };
  });

const ownProcess = () =>
  singleton("metrics.process", () => {
    const registry = new Registry();
    registry.setDefaultLabels({ process: String(process.pid) });
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_SAMPLE_MS });
    registerRequests(registry);
    addCounters(registry);
    return { registry, gauges: addGauges(registry, OF_PROCESS) };
  });

/** Milliseconds that a scrape waits for the database. After 10 s it fails, with the figures that need no database. */
const WAIT_MS = 2_000;

/** The result of a read; undefined if it fails or takes longer than {@link WAIT_MS}. */
function inTime<Result>(read: Promise<Result>): Promise<Result | undefined> {
  const known = read.catch((error: unknown) => {
    log().warn({ err: error }, "metrics could not be read from the database");
    return undefined;
  });
  return Promise.race([known, pause(WAIT_MS, undefined, { ref: false })]);
}

async function collectInstallation(db: Db, own: Backlog[]): Promise<string> {
  const { registry, gauges } = installation();
  const [backlogs, stock] = await Promise.all([inTime(countedBacklogs(db)), inTime(readPoolStates(db))]);
  for (const gauge of Object.values(gauges)) gauge.reset();
  gauges.database_up.set(backlogs ? 1 : 0);
  for (const { name, seconds, rows } of own.concat(backlogs ?? [])) {
    gauges.oldest_due_seconds.set({ queue: name }, seconds);
    gauges.due_rows.set({ queue: name }, rows);
  }
  for (const { state, pools, codes } of stock ?? []) {
    gauges.pools.set({ state }, pools);
    gauges.free_codes.set({ state }, codes);
  }
  return registry.metrics();
}

async function collectProcess(): Promise<string> {
  const { registry, gauges } = ownProcess();
  const { pool } = database();
  gauges.db_connections.set({ state: "open" }, pool.totalCount);
  gauges.db_connections.set({ state: "idle" }, pool.idleCount);
  gauges.db_connections.set({ state: "waiting" }, pool.waitingCount);
  gauges.quota_leased_units.set(leasedUnits());
  gauges.limiter_down.set(limiterFallsBack() ? 1 : 0);
  gauges.unreadable_secrets.set(unreadableSecrets() ?? 0);
  return registry.metrics();
}

const QUESTION = "metrics.question";
const ANSWER = "metrics.answer";

/** Lets this process answer when another one collects: they share a port, and a scrape reaches any one of them. */
export function shareMetrics(collect = collectProcess): void {
  onBroadcast(QUESTION, async ({ id }) => broadcast({ kind: ANSWER, id, text: await collect() }));
}

/** The metrics of this process and of the others of this service; one that is silent for a second is left out. */
export async function collectProcesses(collect = collectProcess): Promise<string[]> {
  const id = randomUUID();
  const texts = [await collect()];
  const forget = onBroadcast(ANSWER, (answer) => {
    if (answer.id === id) texts.push(String(answer.text));
  });
  try {
    await broadcast({ kind: QUESTION, id });
  } catch (error) {
    log().warn({ err: error }, "the other processes were not asked for their metrics");
  } finally {
    forget();
  }
  return texts;
}

/** Merges the texts: Prometheus expects the series of a metric together, after its help and type. */
function mergeMetrics(texts: string[]): string {
  const metrics = new Map<string, string[]>();
  for (const text of texts)
    for (const metric of text.trim().split("\n\n")) {
      const [help = "", type = "", ...series] = metric.split("\n");
      metrics.set(help, [...(metrics.get(help) ?? [help, type]), ...series]);
    }
  return `${[...metrics.values()].map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/**
 * The metrics of the installation and of every process behind this port, in the format of Prometheus. `own` is late
 * work that only this process knows of: pages.
 */
export async function collectMetrics(db: Db, own: Backlog[] = []): Promise<{ text: string; type: string }> {
  const [figures, processes] = await Promise.all([collectInstallation(db, own), collectProcesses()]);
  return { text: mergeMetrics([figures, ...processes]), type: Registry.PROMETHEUS_CONTENT_TYPE };
}
