import { createHash } from "node:crypto";
import { mkdir, open, readdir, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { InboxRow } from "@/lib/confirmations/inbox-row";
import { env } from "@/lib/env";

/** Deliveries that are kept at most, 2.6 GB at the worst and some 30 MB as providers send them. */
const MAX_SPOOLED = 10_000;

/** A delivery as it lies in a file. */
export interface Spooled {
  appId: string;
  row: InboxRow;
}

/** Where deliveries wait while the database is away. */
export const spoolFolder = () => join(resolve(env().DATA_DIR), "inbox");

/**
 * Keeps a proven delivery in a file until the database is back, because some providers never send again. When this
 * returns it outlasts the process and the machine's power. The same event is one file, however often it comes. Answers
 * whether there was room.
 */
export async function spool(appId: string, row: InboxRow): Promise<boolean> {
  const folder = spoolFolder();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length >= MAX_SPOOLED) return false;
  const key = createHash("sha256").update(`${row.connection_id}\n${row.event_id}`).digest("hex");
  const draft = join(folder, `${row.id}.tmp`);
  const kept: Spooled = { appId, row: { ...row, created_at: new Date().toISOString() } };
  await writeDurably(draft, JSON.stringify(kept));
  await rename(draft, join(folder, `${key}.json`));
  await syncFolder(folder);
  return true;
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
