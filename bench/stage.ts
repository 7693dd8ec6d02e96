import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { forkBench } from "@/bench/children";
import { onCleanup } from "@/bench/cleanup";
import { type RunningService, startService } from "@/bench/service";
import { runningPostgres } from "@/lib/platform/embedded-postgres/address";

/** The installation that all parts of the benchmark share, removed at the end. */
export interface Stage {
  quick: boolean;
  folder: string;
  /** One web process on an embedded server with durable commits. */
  service: RunningService;
  url: string;
  db: pg.Client;
  loader: ChildProcess;
}

/** Starts the service, the database connection and the load process. */
export async function createStage(quick: boolean): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "metacode-bench-"));
  onCleanup(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, "data");
  const service = await startService(folder, {
    DATA_DIR: dataDir,
    WEB_PROCESSES: "1",
    // Webhooks are sent to a receiver on this machine.
    OUTBOUND_ALLOW: "127.0.0.0/8",
  });
  const url = await runningPostgres(dataDir);
  if (!url) throw new Error("The embedded server does not run");
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  db.on("error", () => undefined);
  onCleanup(() => db.end());
  return { quick, folder, service, url, db, loader: await forkBench("load/main") };
}
