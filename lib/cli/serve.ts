import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { BUILD_STAMP, deploymentId } from "@/lib/cli/build-stamp";
import { completeIndexes } from "@/lib/cli/complete-indexes";
import { startDatabase } from "@/lib/cli/database";
import { publishAddress } from "@/lib/cli/service-address";
import { assertConnections, assertPortFree, checkOwnServer } from "@/lib/cli/start-checks";
import { migrate } from "@/lib/platform/db/migrate";
import { completeEnv, type Env, parseEnv } from "@/lib/platform/env";
import { choosePagesAddress, removePagesAddress } from "@/lib/web/server/pages-address";
import { getOrCreateSecret } from "@/lib/web/server/secret";
import { type Supervisor, superviseWorkers } from "@/lib/web/server/supervise";

/** The files that a web process and the pages process run. */
const WORKER = ".build/server/worker.mjs";
const PAGES_WORKER = ".build/server/pages.mjs";

const MOST_PROCESSES_BY_DEFAULT = 4;

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function processesOf(settings: Env): number {
  if (settings.ROLE === "worker") return settings.WEB_PROCESSES || 1;
  return settings.WEB_PROCESSES || Math.min(availableParallelism(), MOST_PROCESSES_BY_DEFAULT);
}

/** The pages process has a pool of its own; a worker renders none. */
const hasPages = ({ ROLE }: Env) => ROLE !== "worker";
const poolsOf = (settings: Env) => processesOf(settings) + (hasPages(settings) ? 1 : 0);

async function supervise(
  settings: Env,
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
  return superviseWorkers({
    web: { exec: resolve(WORKER), args: [address, deployment] },
    processes: processesOf(settings),
    ...(hasPages(settings) && { pages: { exec: resolve(PAGES_WORKER), args: [address] } }),
    env,
    drainDelay: settings.DRAIN_DELAY_MS,
    log: say,
  });
}

async function main(build: () => Promise<unknown>): Promise<void> {
  const settings = parseEnv(process.env);
  assertConnections(settings, poolsOf(settings));
  await assertPortFree(settings.HOST, settings.PORT);
  const warning = await checkOwnServer(settings, poolsOf(settings));
  if (warning) say(warning);
  const [database] = await Promise.all([startDatabase(settings, say), build()]);
  const stops: (() => Promise<void>)[] = [database.stop];
  let ending: Promise<void> | undefined;
  const end = (code: number) => {
    ending ??= (async () => {
      for (const stop of stops.reverse()) await stop();
      process.exit(code);
    })();
    return ending;
  };
  process.on("SIGTERM", () => void end(0));
  process.on("SIGINT", () => void end(0));
  try {
    await migrate(database.url);
    await completeIndexes(settings, database.url, say);
    const secret = settings.AUTH_SECRET ?? (await getOrCreateSecret(settings.DATA_DIR));
    const address = await choosePagesAddress();
    stops.push(async () => removePagesAddress(address));
    const supervisor = await supervise(settings, secret, database.url, address);
    stops.push(supervisor.stop);
    await supervisor.ready;
    stops.push(await publishAddress(settings));
    if (!hasPages(settings)) return say("Metacode works on background work only (ROLE=worker)");
    say(`Metacode serves ${settings.APP_URL} (API ${settings.APP_URL}/api)`);
    completeEnv({ DATABASE_URL: database.url, AUTH_SECRET: secret });
    if (settings.DEMO === "auto")
      say(await (await import("@/lib/cli/demo/ensure")).announceDemo(database.url));
  } catch (error) {
    if (!ending) say(error instanceof Error ? error.message : String(error));
    await end(1);
  }
}

/**
 * The supervisor: database, migrations, demo data, web processes, and their orderly end. `build` runs beside the start of
 * the database and makes the production build, where there may be none.
 */
export async function serveProduction(build: () => Promise<unknown> = async () => undefined): Promise<void> {
  await main(build).catch((error: unknown) => {
    say(error instanceof Error ? error.message : String(error));
    process.exit(1);
  });
}
