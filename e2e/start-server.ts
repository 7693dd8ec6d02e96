import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { eq } from "drizzle-orm";
import { workspaces } from "@/lib/platform/db/schema";
import { freePort } from "@/lib/platform/embedded-postgres/address";
import { DEMO_WORKSPACE_ID } from "@/lib/program/demo/renew";
import { getOrCreateSecret } from "@/lib/web/server/secret";
import { inDatabase } from "./parts/database";

const RUN = "lib/cli/run.mjs";
/** The server's log, whose end `npm test` prints when a test has failed. */
const SERVER_LOG = ".build/e2e-server.log";
const START_LIMIT = 180_000;

/** Variables that count as unset when empty, so that the tests' server has its own database whatever the shell sets. */
const UNSET = {
  DATABASE_URL: "",
  REDIS_URL: "",
  REDIS_SENTINELS: "",
  UPSTASH_REDIS_REST_URL: "",
  UPSTASH_REDIS_REST_TOKEN: "",
};
const DEFAULTS = {
  MAILBOX: "on",
  APP_URL: "",
  LANDING_URL: "",
  AUTH_SECRET: "",
  HOST: "127.0.0.1",
  SAMPLE_WORKSPACE: "auto",
  PUBLIC_DEMO: "on",
  LOG_LEVEL: "warn",
  // All tests come from one address.
  PAGES_PER_MINUTE: "100000",
  // The receivers of the tests run on this machine.
  OUTBOUND_ALLOW: "127.0.0.0/8",
};

/** Resolves when the address responds with success; throws when the process ends before. */
export async function answers(url: string, child: ChildProcess): Promise<void> {
  for (const begin = Date.now(); Date.now() - begin < START_LIMIT; await pause(100)) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}`);
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
  }
  throw new Error("The server does not answer");
}

/** Resolves when a round has built the demo. */
async function hasDemo(): Promise<void> {
  const own = eq(workspaces.id, DEMO_WORKSPACE_ID);
  for (const begin = Date.now(); Date.now() - begin < START_LIMIT; await pause(200))
    if (await inDatabase(({ orm }) => orm.$count(workspaces, own))) return;
  throw new Error("The demo was not built");
}

/**
 * Starts the production server as `npm start` does, on an empty data folder, and creates a sample workspace. Tests find
 * the address in `baseURL` and the workspace through `sample()`. Returns the function that ends the server.
 */
export default async function startServer(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), "metacode-e2e-"));
  const port = String(await freePort());
  const env = {
    ...process.env,
    ...UNSET,
    ...DEFAULTS,
    NODE_ENV: "production",
    DATA_DIR: dataDir,
    PORT: port,
  } as const;
  const log = await open(SERVER_LOG, "w");
  const child = spawn(process.execPath, [RUN, "start"], { env, stdio: ["ignore", log.fd, "inherit"] });
  await log.close();
  const ended = once(child, "exit");
  const end = async () => {
    child.kill("SIGTERM");
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const base = `http://localhost:${port}`;
    await answers(`${base}/api/health`, child);
    const { stdout } = await promisify(execFile)(process.execPath, [RUN, "sample", "--json"], { env });
    Object.assign(process.env, { E2E_BASE_URL: base, E2E_SAMPLE: stdout, E2E_DATA_DIR: dataDir });
    await hasDemo();
    // Tests that fill tables write addresses and seal secrets as the server does.
    process.env.APP_URL = base;
    process.env.AUTH_SECRET = await getOrCreateSecret(dataDir);
    return end;
  } catch (error) {
    await end();
    throw error;
  }
}
