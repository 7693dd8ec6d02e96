import { createServer } from "node:http";
import { startDatabase } from "@/lib/cli/serve";
import { publishAddress } from "@/lib/cli/service-address";
import { watchFunctions } from "@/lib/cli/watch-functions";
import { migrate } from "@/lib/platform/db/migrate";
import { completeEnv, parseEnv } from "@/lib/platform/env";
import { getOrCreateSecret } from "@/lib/web/server/secret";
import { listenFailure } from "@/lib/web/server/serve";

/** Development: the framework answers everything in one process, so every change of a file takes effect at once. */
Object.assign(process.env, { NODE_ENV: "development" });
const settings = parseEnv(process.env);
const { HOST: hostname, PORT: port, APP_URL, DATA_DIR } = settings;
const database = await startDatabase(settings);
await migrate(database.url);
watchFunctions(database.url, (line) => console.error(line));
const secret = settings.AUTH_SECRET ?? (await getOrCreateSecret(DATA_DIR));
completeEnv({
  DATABASE_URL: database.url,
  NEXTAUTH_URL: APP_URL,
  AUTH_SECRET: secret,
  NEXTAUTH_SECRET: secret,
});

const { default: next } = await import("next");
const app = next({ dev: true, dir: process.cwd(), hostname, port });
await app.prepare();
const server = createServer(app.getRequestHandler()).on("upgrade", app.getUpgradeHandler());

let unpublish = async (): Promise<void> => undefined;

async function end(code: number): Promise<void> {
  await unpublish();
  await database.stop();
  process.exit(code);
}

server.on("error", (error) => {
  console.error(listenFailure(error, hostname, port));
  void end(1);
});
server.listen(port, hostname, async () => {
  unpublish = await publishAddress(settings);
  console.error(`Metacode in development serves ${APP_URL}`);
  if (settings.SAMPLE_WORKSPACE === "auto")
    console.error(
      await (await import("@/lib/cli/sample-workspace/ensure")).announceSampleWorkspace(database.url),
    );
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void end(0));
