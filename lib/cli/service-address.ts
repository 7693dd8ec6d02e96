import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { processStart } from "@/lib/platform/embedded-postgres/process";
import type { Env } from "@/lib/platform/env";

/** The addresses of a running service, stored in its data folder for commands in other shells. */
interface ServiceAddress {
  APP_URL: string;
  LANDING_URL: string;
  pid: number;
  /** Start time of the process, because the operating system reuses pids. */
  start: string | undefined;
  /** Hash of `DATABASE_URL`: a command for another database does not mean this service. */
  database: string;
}

const fileOf = ({ DATA_DIR }: Env) => join(DATA_DIR, "service.json");

const databaseOf = ({ DATABASE_URL = "" }: Env) => createHash("sha256").update(DATABASE_URL).digest("hex");

async function read(settings: Env): Promise<ServiceAddress | undefined> {
  return readFile(fileOf(settings), "utf8").then(
    (text) => JSON.parse(text) as ServiceAddress,
    () => undefined,
  );
}

/**
 * Stores the addresses of this process and returns the function that removes them. An unwritable data folder does
 * not stop the service: only commands cannot find its addresses.
 */
export async function publishAddress(settings: Env): Promise<() => Promise<void>> {
  const { APP_URL, LANDING_URL } = settings;
  const { pid } = process;
  const start = await processStart(pid);
  const address: ServiceAddress = { APP_URL, LANDING_URL, pid, start, database: databaseOf(settings) };
  const file = fileOf(settings);
  const draft = `${file}.${pid}`;
  try {
    await mkdir(settings.DATA_DIR, { recursive: true, mode: 0o700 });
    await writeFile(draft, JSON.stringify(address));
    await rename(draft, file);
  } catch {
    return async () => undefined;
  }
  return async () => {
    if ((await read(settings))?.pid === pid) await rm(file, { force: true }).catch(() => undefined);
  };
}

/** The addresses of the service that runs on the command's data folder and database; undefined when none runs. */
export async function findAddress(settings: Env): Promise<Pick<Env, "APP_URL" | "LANDING_URL"> | undefined> {
  const found = await read(settings);
  if (!found || found.database !== databaseOf(settings)) return undefined;
  const start = await processStart(found.pid);
  if (start === undefined || start !== found.start) return undefined;
  return { APP_URL: found.APP_URL, LANDING_URL: found.LANDING_URL };
}
