import { readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { receiveRow } from "@/lib/confirmations/receive";
import { type Spooled, spoolFolder } from "@/lib/confirmations/spool";
import type { Db } from "@/lib/db/client";
import { isOutage } from "@/lib/db/outage";
import { apps } from "@/lib/db/schema";
import { log } from "@/lib/log";

/**
 * Takes what was kept while the database was away into the inbox; returns how many. Any number of processes may do it at
 * once, and a killed one leaves its file: the inbox knows an event that it has. Throws while the database is away.
 */
export async function drainSpool(db: Db): Promise<number> {
  const files = await filesOf(spoolFolder());
  let taken = 0;
  for (const path of files) {
    try {
      const text = await readFile(path, "utf8");
      await take(db, JSON.parse(text));
      await rm(path, { force: true });
      taken += 1;
    } catch (error) {
      if (isOutage(error)) throw error;
      await putAside(path, error);
    }
  }
  return taken;
}

async function filesOf(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.filter((name) => name.endsWith(".json")).map((name) => join(folder, name));
}

/** An app that was deleted meanwhile has no inbox any more. */
async function take(db: Db, { appId, row }: Spooled): Promise<void> {
  const [app] = await db.orm.select({ id: apps.id }).from(apps).where(eq(apps.id, appId));
  if (app) await receiveRow(db, appId, row);
}

/** What cannot be taken must not be tried for ever; a file that another process has taken is no failure. */
async function putAside(path: string, error: unknown): Promise<void> {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
  await rename(path, `${path}.bad`).catch(() => {});
  log().error({ err: error, file: path }, "a kept delivery could not be taken into the inbox");
}
