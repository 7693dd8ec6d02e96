import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { assertConnections } from "@/lib/cli/connections";
import { openDatabase } from "@/lib/cli/open-database";
import { endWithPackageManager } from "@/lib/cli/parent";
import { assertPortFree } from "@/lib/cli/port";
import { buildProduction, WORKER } from "@/lib/cli/production";
import { migrate } from "@/lib/db/migrate";
import { type Env, parseEnv } from "@/lib/env";
import { keptSecret } from "@/lib/server/secret";
import { type Supervisor, superviseWorkers } from "@/lib/server/supervise";

const MOST_PROCESSES_BY_DEFAULT = 4;

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function processesOf(settings: Env): number {
  return settings.WEB_PROCESSES || Math.min(availableParallelism(), MOST_PROCESSES_BY_DEFAULT);
}

function supervise(settings: Env, secret: string, databaseUrl: string): Supervisor {
  const env = {
    NODE_ENV: "production",
    DATABASE_URL: databaseUrl,
    AUTH_SECRET: secret,
    NEXTAUTH_SECRET: secret,
    NEXTAUTH_URL: settings.APP_URL,
  };
  return superviseWorkers({ exec: resolve(WORKER), processes: processesOf(settings), env, log: say });
}

/** The supervisor: database, migrations, demo data, web processes, and their orderly end. */
async function main(): Promise<void> {
  endWithPackageManager();
  const settings = parseEnv(process.env);
  assertConnections(settings, processesOf(settings));
  await assertPortFree(settings.HOST, settings.PORT);
  const [database] = await Promise.all([openDatabase(settings, say), buildProduction()]);
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
    const secret = settings.AUTH_SECRET ?? (await keptSecret(settings.DATA_DIR));
    const supervisor = supervise(settings, secret, database.url);
    stops.push(supervisor.stop);
    await supervisor.ready;
    say(`Metacode serves ${settings.APP_URL} (API ${settings.APP_URL}/api)`);
    Object.assign(process.env, { DATABASE_URL: database.url, AUTH_SECRET: secret });
    if (settings.DEMO === "auto") say(await (await import("@/lib/demo/ensure")).announceDemo(database.url));
  } catch (error) {
    if (!ending) say(error instanceof Error ? error.message : String(error));
    await end(1);
  }
}

await main();
