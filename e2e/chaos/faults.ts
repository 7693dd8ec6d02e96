import { setTimeout as pause } from "node:timers/promises";
import { requestJob } from "@/bench/children";
import type { FloodJob, FloodResult } from "@/bench/load/flood";
import { clusterProcesses, signal } from "@/lib/platform/embedded-postgres/process";
import { descendants, holderOfPort, survivors } from "../crash/processes";
import { moveClocks } from "./clock";
import type { ChaosStage } from "./stage";

/** The parameters of one fault, from the seed. */
export interface Strike {
  /** Duration of a fault that is not instantaneous. */
  seconds: number;
  /** A number from 0 to 1 that chooses among victims and kinds. */
  pick: number;
}

const HOUR_MS = 3_600_000;

const choose = <T>(list: readonly T[], pick: number): T | undefined => list[Math.floor(pick * list.length)];

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const begin = performance.now(); !(await condition()); await pause(20))
    if (performance.now() - begin > 60_000) throw new Error(`Not within a minute: ${what}`);
}

async function freeze({ cluster }: ChaosStage, { seconds }: Strike): Promise<void> {
  const send = async (name: NodeJS.Signals) => {
    for (const pid of await clusterProcesses(cluster)) signal(pid, name);
  };
  await send("SIGSTOP");
  await pause(seconds * 1_000);
  await send("SIGCONT");
}

/** Shuts the database down fast; its supervisor starts it again. */
async function restart({ postgres }: ChaosStage): Promise<void> {
  const before = postgres.pid();
  signal(before, "SIGINT");
  await until("the database is restarted", () => postgres.pid() !== before);
}

async function killDatabase({ postgres }: ChaosStage): Promise<void> {
  const before = postgres.pid();
  signal(before, "SIGKILL");
  await until("the database is restarted", () => postgres.pid() !== before);
}

/** Ends every session several times, including those of this process. */
async function terminate({ db }: ChaosStage, { seconds }: Strike): Promise<void> {
  for (let left = seconds * 1_000; left > 0; left -= 300) {
    const others = "pid <> pg_backend_pid() and backend_type = 'client backend'";
    await db.pool
      .query(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`)
      .catch(() => undefined);
    await pause(300);
  }
}

async function disconnect({ proxy }: ChaosStage, { seconds }: Strike): Promise<void> {
  proxy.refuse(true);
  proxy.cut();
  await pause(seconds * 1_000);
  proxy.refuse(false);
}

/** Lets connections stay open while nothing arrives, then breaks them. */
async function stall({ proxy }: ChaosStage, { seconds }: Strike): Promise<void> {
  proxy.stall(true);
  await pause(seconds * 1_000);
  proxy.cut();
  proxy.stall(false);
}

async function fillDisk({ disk }: ChaosStage, { seconds }: Strike): Promise<void> {
  for (let left = seconds * 1_000; left > 0; left -= 500) {
    await disk.fill();
    await pause(500);
  }
  await disk.clear();
}

async function killWeb({ service }: ChaosStage, { pick }: Strike): Promise<void> {
  const before = service.webPids();
  const victim = choose(before, pick) ?? 0;
  signal(victim, "SIGKILL");
  await replaced(() => service.webPids(), before.length, victim);
}

async function killPages({ service }: ChaosStage): Promise<void> {
  const [victim = 0] = service.pagesPids();
  signal(victim, "SIGKILL");
  await replaced(() => service.pagesPids(), 1, victim);
}

const replaced = (pids: () => number[], count: number, victim: number) =>
  until(`process ${victim} is replaced`, () => pids().filter((pid) => pid !== victim).length >= count);

/** Kills the web process whose round waits for a lock that this function holds. */
async function killRoundHolder({ ctx, db, proxy, service }: ChaosStage): Promise<void> {
  await db.pool.query(
    `insert into rounds (app_id, name, due_at) values ($1, 'figures', now())
     on conflict (app_id, name) do update set due_at = now()`,
    [ctx.app.id],
  );
  const client = await db.pool.connect();
  client.on("error", () => undefined);
  try {
    await client.query("begin");
    await client.query("lock table rollup_cursors in access exclusive mode");
    let port: number | undefined;
    await until("a round of figures waits for its table", async () => {
      // Another session, because a transaction sees the sessions as they were at its first read.
      const { rows } = await db.pool.query<{ client_port: number }>(
        `select client_port from pg_stat_activity
          where wait_event_type = 'Lock' and application_name = 'metacode' and query ilike '%roll_up%'`,
      );
      port = rows[0]?.client_port;
      return port !== undefined;
    });
    await killClient(service, proxy.clientPort(port ?? 0) ?? 0);
  } finally {
    // Closing the connection releases the lock.
    client.release(true);
  }
}

/** Kills the web process that sends an alert whose receiver does not answer. */
async function killAlertHolder({ receiver, service }: ChaosStage): Promise<void> {
  let port: number | undefined;
  void receiver.holdAlert().then((held) => {
    port = held;
  });
  await until("an alert is sent", () => port !== undefined);
  await killClient(service, port ?? 0);
}

async function killClient(service: ChaosStage["service"], port: number): Promise<void> {
  const before = service.webPids();
  const victim = holderOfPort(port, before) ?? before[0] ?? 0;
  signal(victim, "SIGKILL");
  await replaced(() => service.webPids(), before.length, victim);
}

/** Kills the supervisor, and starts the service again once its processes have ended, as an operator would. */
async function killSupervisor({ service }: ChaosStage): Promise<void> {
  const before = descendants(service.pid);
  await service.kill();
  await until("the processes of the service have ended", () => survivors(before).length === 0);
  await service.relaunch();
  await until("the service has its processes", () => service.webPids().length === 2);
}

const FLOODS = [
  "/docs?n={n}",
  "/nothing-{n}",
  "/sign-in?next=%2Fdashboard%3F{n}",
  "/docs/search?q=reward+{n}",
];

async function flood({ flooder, service }: ChaosStage, { seconds, pick }: Strike): Promise<void> {
  const job: FloodJob = {
    port: service.port,
    connections: 16,
    pipelined: pick < 0.5 ? 1 : 100,
    seconds,
    template: { method: "GET", path: choose(FLOODS, pick) ?? "/", headers: { Accept: "text/html" } },
    from: 0,
    slugs: [],
  };
  await requestJob<FloodResult>(flooder, job);
}

async function moveClock({ clock }: ChaosStage, { seconds, pick }: Strike): Promise<void> {
  moveClocks(clock, pick < 0.5 ? HOUR_MS : -HOUR_MS);
  await pause(seconds * 1_000);
  moveClocks(clock, 0);
}

/** Every fault by the name that the output shows. */
export const FAULTS: Record<string, (stage: ChaosStage, strike: Strike) => Promise<void>> = {
  "database frozen": freeze,
  "database restarted": restart,
  "database killed": killDatabase,
  "sessions terminated": terminate,
  "connections refused": disconnect,
  "network silent": stall,
  "disk full": fillDisk,
  "web process killed": killWeb,
  "holder of a round killed": killRoundHolder,
  "holder of an alert killed": killAlertHolder,
  "pages process killed": killPages,
  "supervisor killed": killSupervisor,
  "pages flooded": flood,
  "clock moved by an hour": moveClock,
};
