import type { AppRef } from "@/lib/context";
import type { Scope } from "@/lib/contract/scopes";
import type { Db } from "@/lib/db/client";
import { isOutage } from "@/lib/db/outage";
import { shared } from "@/lib/shared";

/** What a request needs to know of its key. */
export interface KeyRecord {
  id: string;
  scopes: readonly Scope[];
  app: AppRef;
  workspaceId: string;
  /** Requests a month of the workspace. */
  quota: number;
  /** Milliseconds; the end of a rotated key's grace period. */
  expiresAt: number | null;
}

interface Use {
  appId: string;
  at: Date;
}

const uses = () => shared("key-uses", () => new Map<string, Use>());

/** Remembers that a key was used; written by {@link flushUses}, never by the request itself. */
export function noteUse(key: KeyRecord): void {
  uses().set(key.id, { appId: key.app.id, at: new Date() });
}

/** Writes when each key was last used, in one statement. While the database is away the uses stay noted. */
export async function flushUses(db: Db): Promise<void> {
  const taken = [...uses()];
  if (taken.length === 0) return;
  uses().clear();
  const rows = taken.map(([key_id, { appId, at }]) => ({ app_id: appId, key_id, last_used_at: at }));
  try {
    await db.call("note_key_uses", [JSON.stringify(rows)]);
  } catch (error) {
    // Not after other errors: rows that cannot be written would be tried for ever.
    if (isOutage(error)) restore(taken);
    throw error;
  }
}

/** A use noted in the meantime is the newer one. */
function restore(taken: [string, Use][]): void {
  for (const [keyId, use] of taken) {
    if (!uses().has(keyId)) uses().set(keyId, use);
  }
}
