import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { and, eq, gte, inArray } from "drizzle-orm";
import { DAY_MS, HOUR_MS } from "@/lib/contract/format";
import { databaseNow } from "@/lib/platform/db/chunks";
import type { Db } from "@/lib/platform/db/client";
import { isOutage, mayRunAgain } from "@/lib/platform/db/outage";
import { apps, erasedEndUsers } from "@/lib/platform/db/schema";
import { env } from "@/lib/platform/env";
import type { Backlog } from "@/lib/platform/jobs/backlog";
import { log } from "@/lib/platform/log";
import { syncFolder } from "@/lib/platform/sync-folder";
import { type InboxRow, uidsNamedBy } from "@/lib/program/confirmations/inbox-row";
import { receiveLate } from "@/lib/program/confirmations/receive";
import { pseudonymOf, uidHashIn } from "@/lib/program/end-users/pseudonym";
import type { IdentityLink } from "@/lib/program/providers/common/adapter";

/** Maximum spooled deliveries: 2.6 GB at worst, 30 MB at the usual size. The last quarter is for apps below a quarter. */
export const MAX_SPOOLED = 10_000;

interface SpooledDelivery {
  appId: string;
  row: InboxRow & { created_at: string; uids: string[]; links: IdentityLink[] };
}

/** The folder of deliveries that wait for the database. */
export const spoolFolder = () => join(resolve(env().DATA_DIR), "inbox");

/**
 * Stores a proven delivery in a file until the database is back, because some providers never retry. It survives a killed
 * process and a power failure; an event is one file. False if the spool is full, or its rest is for other apps.
 */
export async function spoolDelivery(appId: string, row: InboxRow): Promise<boolean> {
  const folder = spoolFolder();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const waiting = await filesOf(folder);
  const own = waiting.filter((path) => path.startsWith(join(folder, appId)));
  if (waiting.length >= MAX_SPOOLED * (own.length < MAX_SPOOLED / 4 ? 1 : 0.75)) return false;
  const key = createHash("sha256").update(`${row.connection_id}\n${row.event_id}`).digest("hex");
  const draft = join(folder, `${row.id}.tmp`);
  const spooled = { appId, row: { ...row, created_at: new Date(databaseNow()).toISOString() } };
  try {
    await writeFile(draft, JSON.stringify(spooled), { flag: "wx", mode: 0o600, flush: true });
    await rename(draft, join(folder, `${appId}-${key}.json`));
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
  await syncFolder(folder);
  return true;
}

/** Ages at which files are deleted: drafts left unanswered by a killed process, and failed events, which may name a user. */
const LIFETIMES_MS = { tmp: HOUR_MS, bad: 30 * DAY_MS };

/**
 * Moves the spooled deliveries into the inbox; returns how many. Processes may run it in parallel, and a killed one leaves
 * its file: the inbox recognises an event that it holds. Throws while the database is away, or cannot store one of them yet.
 */
export async function drainSpool(db: Db): Promise<number> {
  for (const [ending, ms] of Object.entries(LIFETIMES_MS))
    for (const path of await filesOf(spoolFolder(), new RegExp(`\\.${ending}$`)))
      if (Date.now() - (await timeOf(path)) > ms) await rm(path, { force: true }).catch(() => {});
  let drained = 0;
  let delayed: unknown;
  for (const path of await filesOf(spoolFolder())) {
    try {
      await receiveSpooled(db, JSON.parse(await readFile(path, "utf8")));
      await rm(path, { force: true });
      drained += 1;
    } catch (error) {
      // The cause may lie in this delivery, such as a lock, and must not hold the others back.
      if (isOutage(error) && mayRunAgain(error)) delayed = error;
      else if (isOutage(error)) throw error;
      else await quarantineFile(path, error);
    }
  }
  if (delayed) throw delayed;
  return drained;
}

/** The deliveries that wait on this machine, as a backlog: they are due at once. Quarantined ones wait for the operator. */
export async function spoolBacklog(): Promise<Backlog> {
  // A folder that cannot be read is logged by the drain, every few seconds.
  const files = await filesOf(spoolFolder(), /\.json(?:\.bad)?$/).catch(() => []);
  // The ages of a hundred are read: the others are as old.
  const oldest = Math.min(...(await Promise.all(files.slice(0, 100).map(timeOf))));
  const seconds = Math.max(0, (Date.now() - oldest) / 1_000);
  return { name: "spooled events", seconds, rows: files.length, app: null };
}

/** The time of a file; the current time if another process has removed it, so that it is not late. */
const timeOf = (file: string) => stat(file).then(({ mtimeMs }) => mtimeMs, Date.now);

async function filesOf(folder: string, kind = /\.json$/): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.filter((name) => kind.test(name)).map((name) => join(folder, name));
}

/** Moves a spooled delivery into the inbox, unless its app was deleted meanwhile. */
async function receiveSpooled(db: Db, { appId, row }: SpooledDelivery): Promise<void> {
  const [app] = await db.orm.select({ id: apps.id }).from(apps).where(eq(apps.id, appId));
  if (app) await receiveLate(db, appId, await withoutErased(db, appId, row));
  else log().warn({ app: appId, event: row.event_id }, "a spooled delivery was dropped: its app was deleted");
}

/** The clocks of two machines differ by less. */
const CLOCKS_MS = 20_000;

/** The row as an erasure leaves it, if the delivery arrived before the erasure of its person; it still counts. */
async function withoutErased(db: Db, appId: string, row: SpooledDelivery["row"]): Promise<InboxRow> {
  const hashes = uidsNamedBy(row).flatMap((uid) => uidHashIn(appId, uid) ?? []);
  const since = new Date(Date.parse(row.created_at) - CLOCKS_MS);
  const { appId: app, uidHash: hash, createdAt } = erasedEndUsers;
  const named = and(eq(app, appId), inArray(hash, hashes), gte(createdAt, since));
  const [erased] = await db.orm.select({ hash }).from(erasedEndUsers).where(named);
  if (!erased) return row;
  return { ...row, uids: [pseudonymOf(erased.hash)], payload: {}, links: [], headers: {}, purchase_id: null };
}

/** Renames a file that cannot be received, to stop retries. One that another process removed is no failure. */
async function quarantineFile(path: string, error: unknown): Promise<void> {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
  await rename(path, `${path}.bad`).catch(() => {});
  log().error({ err: error, file: path }, "a spooled delivery could not be moved into the inbox");
}
