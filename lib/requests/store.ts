import type { Db } from "@/lib/db/client";
import type { Batch } from "@/lib/requests/batch";
import { storablePath } from "@/lib/requests/path";

const DAY = 86_400_000;

const MAX_MESSAGE = 500;

/** PostgreSQL's largest `integer`: 35 minutes. */
const MAX_MICROS = 2_147_483_647;

function micros(ms: number): number {
  return Math.min(Math.round(ms * 1_000), MAX_MICROS);
}

function storableMessage(message: string): string {
  return message.replaceAll("\0", "").slice(0, MAX_MESSAGE).toWellFormed();
}

/** Writes a batch in one statement. The same batch again does nothing, so that it may follow a lost answer. */
export async function storeBatch(db: Db, { appId, lines, counts }: Batch): Promise<void> {
  const days = counts.map(({ keyId, day, ...count }) => ({
    ...count,
    key_id: keyId,
    day: new Date(day * DAY).toISOString().slice(0, 10),
  }));
  await db.call("store_requests", [
    appId,
    lines.map(({ told }) => told.request_id),
    lines.map(({ keyId }) => keyId),
    lines.map(({ told }) => told.method),
    lines.map(({ told }) => storablePath(told.path)),
    lines.map(({ told }) => told.status),
    lines.map(({ told }) => told.error ?? null),
    lines.map(({ message }) => (message === undefined ? null : storableMessage(message))),
    lines.map(({ told }) => micros(told.ms)),
    lines.map(({ at }) => new Date(at)),
    JSON.stringify(days),
  ]);
}
