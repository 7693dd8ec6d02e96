import { sqlFunction } from "@/lib/platform/db/calls";
import type { Db } from "@/lib/platform/db/client";
import { addHistory } from "@/lib/program/stats/history";

/** Events that one call adds up: some tens of milliseconds. */
const CHUNK = 2_000;

/**
 * Younger events wait for the next round. An event gets its id up to five seconds (`statement_timeout`) before it
 * becomes visible, and a cursor that has passed it never returns.
 */
export const SETTLED_SECONDS = 60;

/**
 * The most events since the roll-up that a page adds to the stored figures. The roll-up is a minute behind; above 166
 * events a second the figures of a page are up to a minute old.
 */
export const TAIL = 10_000;

interface Rolled {
  state: "new" | "busy" | "done";
  more: boolean;
  waiting: boolean;
}

export const ROLL_UP = sqlFunction("roll_up", {
  app: "uuid",
  age_seconds: "int",
  rows: "int",
}).returns<Rolled>();

/**
 * Adds an app's settled outbox events to its figures. Of several processes at once, one locks the cursor and the others
 * leave. An app without a cursor has its history counted first. Returns whether events are left that have not settled.
 */
export async function rollUp(db: Db, appId: string, settledSeconds = SETTLED_SECONDS): Promise<boolean> {
  for (;;) {
    const { state, more, waiting } = await db.call(ROLL_UP, {
      app: appId,
      age_seconds: settledSeconds,
      rows: CHUNK,
    });
    if (state === "new") await addHistory(db, appId, settledSeconds);
    else if (!more) return waiting;
  }
}
