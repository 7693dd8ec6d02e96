import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { startDatabase } from "@/lib/cli/database";
import { buildProduction, PAGES_WORKER, WORKER } from "@/lib/cli/production";
import { publishAddress } from "@/lib/cli/service-address";
import {
  assertConnections,
  assertPortFree,
  checkOwnServer,
  endWithPackageManager,
} from "@/lib/cli/start-checks";
import { migrate } from "@/lib/platform/db/migrate";
import { type Env, parseEnv } from "@/lib/platform/env";
import { choosePagesAddress, removePagesAddress } from "@/lib/web/server/pages-address";
import { getOrCreateSecret } from "@/lib/web/server/secret";
import { type Supervisor, superviseWorkers } from "@/lib/web/server/supervise";

const MOST_PROCESSES_BY_DEFAULT = 4;

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function processesOf(settings: Env): number {
  return settings.WEB_PROCESSES || Math.min(availableParallelism(), MOST_PROCESSES_BY_DEFAULT);
}

/** With the pages process, which has a pool of its own. */
const poolsOf = (settings: Env) => processesOf(settings) + 1;

function supervise(settings: Env, secret: string, databaseUrl: string, address: string): Supervisor {
  const env = {
    NODE_ENV: "production",
    DATABASE_URL: databaseUrl,
    AUTH_SECRET: secret,
    NEXTAUTH_SECRET: secret,
    NEXTAUTH_URL: settings.APP_URL,
  };
  return superviseWorkers({
    web: { exec: resolve(WORKER), args: [address] },
    processes: processesOf(settings),
    pages: { exec: resolve(PAGES_WORKER), args: [address] },
    env,
    drainDelay: settings.DRAIN_DELAY_MS,
    log: say,
  });
}

/** The supervisor: database, migrations, demo data, web processes, and their orderly end. */
async function main(): Promise<void> {
  endWithPackageManager();
  const settings = parseEnv(process.env);
  assertConnections(settings, poolsOf(settings));
  await assertPortFree(settings.HOST, settings.PORT);
  const warning = await checkOwnServer(settings, poolsOf(settings));
  if (warning) say(warning);
  const [database] = await Promise.all([startDatabase(settings, say), buildProduction()]);
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
    const secret = settings.AUTH_SECRET ?? (await getOrCreateSecret(settings.DATA_DIR));
    const address = await choosePagesAddress();
    stops.push(async () => removePagesAddress(address));
    const supervisor = supervise(settings, secret, database.url, address);
    stops.push(supervisor.stop);
    await supervisor.ready;
    stops.push(await publishAddress(settings));
    say(`Metacode serves ${settings.APP_URL} (API ${settings.APP_URL}/api)`);
    Object.assign(process.env, { DATABASE_URL: database.url, AUTH_SECRET: secret });
    if (settings.DEMO === "auto")
      say(await (await import("@/lib/cli/demo/ensure")).announceDemo(database.url));
  } catch (error) {
    if (!ending) say(error instanceof Error ? error.message : String(error));
    await end(1);
  }
}

await main().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
