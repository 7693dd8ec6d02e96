import type { AppRef } from "@/lib/context";
import type { Scope } from "@/lib/contract/scopes";
import type { Db } from "@/lib/db/client";
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

const uses = () => shared("key-uses", () => new Map<string, { appId: string; at: Date }>());

/** Remembers that a key was used; written by {@link flushUses}, never by the request itself. */
export function noteUse(key: KeyRecord): void {
  uses().set(key.id, { appId: key.app.id, at: new Date() });
}

/** Writes when each key was last used, in one statement. */
export async function flushUses(db: Db): Promise<void> {
  const noted = [...uses()].map(([key_id, { appId, at }]) => ({ app_id: appId, key_id, last_used_at: at }));
  uses().clear();
  if (noted.length > 0) await db.call("note_key_uses", [JSON.stringify(noted)]);
}
