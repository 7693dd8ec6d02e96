import { sqlFunction } from "@/lib/platform/db/calls";
import type { Db } from "@/lib/platform/db/client";
import { isOutage } from "@/lib/platform/db/outage";
import { singleton } from "@/lib/platform/singleton";
import type { KeyRecord } from "./verify";

const NOTE_KEY_USES = sqlFunction("note_key_uses", {
  apps: "uuid[]",
  keys: "uuid[]",
  times: "timestamptz[]",
}).returns<void>();

interface Use {
  appId: string;
  at: Date;
}

const uses = () => singleton("key-uses", () => new Map<string, Use>());

/** Notes that a key was used; {@link flushUses} writes it, not the request. */
export function noteUse(key: KeyRecord): void {
  uses().set(key.id, { appId: key.app.id, at: new Date() });
}

/** Writes when each key was last used, in one statement. During an outage of the database the uses stay noted. */
export async function flushUses(db: Db): Promise<void> {
  const taken = [...uses()];
  if (taken.length === 0) return;
  uses().clear();
  try {
    await db.call(NOTE_KEY_USES, {
      apps: taken.map(([, { appId }]) => appId),
      keys: taken.map(([keyId]) => keyId),
      times: taken.map(([, { at }]) => at),
    });
  } catch (error) {
    // Only after an outage: unwritable rows would otherwise be retried forever.
    if (isOutage(error)) restore(taken);
    throw error;
  }
}

/** Puts uses back, except where a newer one was noted meanwhile. */
function restore(taken: [string, Use][]): void {
  for (const [keyId, use] of taken) {
    if (!uses().has(keyId)) uses().set(keyId, use);
  }
}
