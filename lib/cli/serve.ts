import { fork } from "node:child_process";
import { once } from "node:events";
import { writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { BUILD_STAMP, deploymentId } from "@/lib/cli/build-stamp";
import { publishAddress } from "@/lib/cli/service-address";
import { reasonOf } from "@/lib/platform/describe-error";
import { supervisePostgres } from "@/lib/platform/embedded-postgres/supervise";
import type { Env } from "@/lib/platform/env";
import { choosePagesAddress, removePagesAddress } from "@/lib/web/server/pages-address";
import { type Supervisor, superviseWorkers } from "@/lib/web/server/supervise";

/** The files that the preparing process, a web process and the pages process run. */
export const PREPARE = ".build/server/prepare.mjs";
const WORKER = ".build/server/worker.mjs";
const PAGES_WORKER = ".build/server/pages.mjs";

/** A page waits this many times as long for a database connection as an API request. */
const PAGE_PATIENCE = 5;

interface Checked {
  settings: Env;
  processes: number;
  /** Whether this service renders pages. */
  pages: boolean;
}

/** The preparing process says that the start may go on, that the database is ready, or why neither is. */
export type Prepared = Checked | { secret: string } | { failure: string };

/** The supervisor names the running database, and then says that the service answers. */
export interface Preparation {
  url: string;
}

/** Prints a line on standard error. Not through the stream, which would end the process on a full disk. */
export function say(text: string): void {
  try {
    writeSync(2, `${text}\n`);
  } catch {}
}

/** The process that checks the settings and prepares the database (`prepare.ts`). */
function openPreparation() {
  const child = fork(resolve(PREPARE), [], { stdio: ["ignore", 2, 2, "ipc"] });
  // The last message may arrive after the process has ended, but not after its channel has closed.
  const ended = Promise.all([once(child, "exit"), once(child, "disconnect")]).then(([[code, signal]]) => ({
    failure: `The preparation of the start ended with ${signal ?? `code ${code}`}`,
  }));
  return {
    async answer<Expected extends Prepared>(): Promise<Expected> {
      const said = once(child, "message").then(([message]) => message as Prepared);
      const message = await Promise.race([said, ended]);
      if ("failure" in message) throw new Error(message.failure);
      return message as Expected;
    },
    tell: (message: Preparation) => child.connected && child.send(message, () => undefined),
    /** Calls `report` if the process fails in work that it does while the service runs, such as large indexes. */
    watch: (report: (failure: string) => void) =>
      void ended.then(({ failure }) => child.exitCode !== 0 && report(failure)),
  };
}

async function supervise(
  { settings, processes, pages }: Checked,
  secret: string,
  databaseUrl: string,
  address: string,
): Promise<Supervisor> {
  const deployment = deploymentId(await readFile(BUILD_STAMP, "utf8"));
  const env = {
    NODE_ENV: "production",
    DATABASE_URL: databaseUrl,
    AUTH_SECRET: secret,
    NEXTAUTH_SECRET: secret,
    NEXTAUTH_URL: settings.APP_URL,
    NEXT_DEPLOYMENT_ID: deployment,
  };
  // People prefer a late page to an error, whereas apps and proxies repeat a request.
  const patience = { DATABASE_WAIT_MS: String(Math.min(PAGE_PATIENCE * settings.DATABASE_WAIT_MS, 60_000)) };
  return superviseWorkers({
    web: { exec: resolve(WORKER), args: [address, deployment] },
    processes,
    ...(pages && { pages: { exec: resolve(PAGES_WORKER), args: [address], env: patience } }),
    env,
    drainDelay: settings.DRAIN_DELAY_MS,
    log: say,
  });
}

/** The database of `DATABASE_URL`, else the embedded server on `DATA_DIR`, kept alive until `stop`. */
export async function startDatabase({ DATABASE_URL, DATA_DIR: dataDir }: Env) {
  if (DATABASE_URL) return { url: DATABASE_URL, stop: async () => undefined };
  return supervisePostgres({ dataDir, log: say });
}

async function main(build: () => Promise<unknown>): Promise<void> {
  const preparation = openPreparation();
  const checked = await preparation.answer<Checked>();
  const { settings, pages } = checked;
  const [database] = await Promise.all([startDatabase(settings), build()]);
  const stops: (() => Promise<void>)[] = [database.stop];
  let ending: Promise<void> | undefined;
  const end = (code: number) => {
    ending ??= (async () => {
      // If a step fails, as on a disk that became read-only, the processes still finish their requests.
      for (const stop of stops.reverse()) await stop().catch((error: unknown) => say(reasonOf(error)));
      process.exit(code);
    })();
    return ending;
  };
  process.on("SIGTERM", () => void end(0));
  process.on("SIGINT", () => void end(0));
  try {
    preparation.tell({ url: database.url });
    const { secret } = await preparation.answer<{ secret: string }>();
    const address = await choosePagesAddress();
    stops.push(async () => removePagesAddress(address));
    const supervisor = await supervise(checked, secret, database.url, address);
    stops.push(supervisor.stop);
    await supervisor.ready;
    stops.push(await publishAddress(settings));
    if (pages) say(`Metacode serves ${settings.APP_URL} (API ${settings.APP_URL}/api)`);
    else say("Metacode runs background work only (ROLE=worker)");
    preparation.tell({ url: database.url });
    preparation.watch(
      (failure) => ending ?? say(`${failure}. Large indexes may be missing until the next start.`),
    );
  } catch (error) {
    if (!ending) say(reasonOf(error));
    await end(1);
  }
}

/**
 * Runs the supervisor: database, preparation, web processes, and their orderly end. `build` runs during the start of the
 * database and creates the production build, where there may be none.
 */
export async function serveProduction(build: () => Promise<unknown> = async () => undefined): Promise<void> {
  await main(build).catch((error: unknown) => {
    say(reasonOf(error));
    process.exit(1);
  });
}
