import { availableParallelism } from "node:os";
import { completeIndexes } from "@/lib/cli/complete-indexes";
import { announceSampleWorkspace } from "@/lib/cli/sample-workspace/ensure";
import { type Preparation, type Prepared, say } from "@/lib/cli/serve";
import { assertConnections, assertPortFree, checkOwnServer, namingDatabase } from "@/lib/cli/start-checks";
import { distribute } from "@/lib/platform/db/distribute";
import { migrate } from "@/lib/platform/db/migrate";
import { reasonOf } from "@/lib/platform/describe-error";
import { completeEnv, directUrl, type Env, parseEnv } from "@/lib/platform/env";
import { getOrCreateSecret } from "@/lib/web/server/secret";

// Does the one-time work of a start in its own process: checks, migrations, indexes and the sample workspace. Its memory is
// freed at its end, so the supervisor, which runs as long as the service, loads no settings, driver or tables.

const MOST_PROCESSES_BY_DEFAULT = 4;

const tell = (message: Prepared) => void process.send?.(message, undefined, {}, () => undefined);
function processesOf(settings: Env): number {
  if (settings.ROLE === "worker") return settings.WEB_PROCESSES || 1;
  return settings.WEB_PROCESSES || Math.min(availableParallelism(), MOST_PROCESSES_BY_DEFAULT);
}

/** Resolves with the supervisor's next message. */
const next = () => new Promise<Preparation>((resolve) => process.once("message", resolve));

async function check(): Promise<Env> {
  const settings = parseEnv(process.env);
  const processes = processesOf(settings);
  // The pages process has its own pool; a worker renders none.
  const pages = settings.ROLE !== "worker";
  const pools = processes + (pages ? 1 : 0);
  assertConnections(settings, pools);
  await assertPortFree(settings.HOST, settings.PORT);
  const warning = await checkOwnServer(settings, pools);
  if (warning) say(warning);
  if (settings.DATABASE_URL && !settings.AUTH_SECRET)
    say("Machines that share this database need the same AUTH_SECRET. Set it on each of them.");
  tell({ settings, processes, pages });
  return settings;
}

async function addSampleWorkspace(settings: Env, url: string, secret: string): Promise<void> {
  if (settings.SAMPLE_WORKSPACE !== "auto" || settings.ROLE === "worker") return;
  completeEnv({ DATABASE_URL: url, AUTH_SECRET: secret });
  say(await announceSampleWorkspace(url));
}

async function main(): Promise<void> {
  const settings = await check();
  const { url } = await next();
  await namingDatabase(settings, () => migrate(url));
  const complete = async () => {
    if (settings.SHARDING === "citus") await distribute(directUrl(settings, url), say);
    return completeIndexes(settings, url, say);
  };
  const { rest } = await namingDatabase(settings, complete, true);
  const secret = settings.AUTH_SECRET ?? (await getOrCreateSecret(settings.DATA_DIR));
  const serving = next();
  tell({ secret });
  await serving;
  await addSampleWorkspace(settings, url, secret).catch((error: unknown) => say(reasonOf(error)));
  await rest;
}

// The supervisor decides when an interrupted start ends; without a supervisor there is nothing to do.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
process.once("disconnect", () => process.exit(1));
if (!process.connected) process.exit(1);
await main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.send?.({ failure: reasonOf(error) } satisfies Prepared, undefined, {}, () => process.exit(1));
  },
);
