import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startChild } from "@/bench/children";
import { onEnd } from "@/bench/ending";
import { type Service, startService } from "@/bench/service";
import { runningPostgres } from "@/lib/postgres/url";

/** What every part of the benchmark shares. Everything is removed at the end. */
export interface Stage {
  quick: boolean;
  folder: string;
  /** One web process on an embedded server with durable commits. */
  service: Service;
  url: string;
  db: pg.Client;
  loader: ChildProcess;
}

/** Starts what the parts of the benchmark measure. */
export async function setStage(quick: boolean): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "metacode-bench-"));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, "data");
  const service = await startService(folder, { DATA_DIR: dataDir, WEB_PROCESSES: "1" });
  const url = await runningPostgres(dataDir);
  if (!url) throw new Error("The embedded server does not run");
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  db.on("error", () => undefined);
  onEnd(() => db.end());
  return { quick, folder, service, url, db, loader: await startChild("load/main") };
}
