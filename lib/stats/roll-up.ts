import type { Db } from "@/lib/db/client";
import { addHistory } from "@/lib/stats/history";

/** Events that one call adds up: some tens of milliseconds. */
const CHUNK = 2_000;

/**
 * Younger events are left for the next time. An event gets its id up to five seconds (`statement_timeout`) before it
 * can be seen, and a cursor that has passed it never comes back.
 */
const SETTLED_SECONDS = 60;

interface Rolled {
  state: "new" | "busy" | "done";
  more: boolean;
}

/**
 * Adds an app's settled outbox events to its figures. Any number of processes may do it at once: one has the cursor,
 * the others leave. An app without a cursor has its history counted first.
 */
export async function rollUp(db: Db, appId: string, settledSeconds = SETTLED_SECONDS): Promise<void> {
  for (;;) {
    const { state, more } = await db.call<Rolled>("roll_up", [appId, settledSeconds, CHUNK]);
    if (state === "new") await addHistory(db, appId, settledSeconds);
    else if (!more) return;
  }
}
