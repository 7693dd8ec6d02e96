import type { AppRef } from "@/lib/context";
import { shared } from "@/lib/shared";

/** How late a change made in another process may be noticed here. */
const TTL_MS = 5_000;

/** Unknown ids are kept too, so that guessing them does not ask the database each time; hence a bound. */
const CAPACITY = 10_000;

/** What a delivery needs to know of its connection. */
export interface ConnectionRecord {
  id: string;
  provider: string;
  secret: string;
  signingSecret: string | null;
  app: AppRef;
  workspaceId: string;
}

type Found = Promise<ConnectionRecord | undefined>;

/** Connections looked up lately, by id. Parallel deliveries share one look-up; a failed one is not kept. */
export class ConnectionCache {
  private readonly entries = new Map<string, { record: Found; until: number }>();

  constructor(private readonly now: () => number = Date.now) {}

  get(id: string, load: () => Found): Found {
    const known = this.entries.get(id);
    if (known && known.until > this.now()) return known.record;
    const entry = { record: load(), until: this.now() + TTL_MS };
    this.entries.delete(id);
    this.entries.set(id, entry);
    if (this.entries.size > CAPACITY) this.evictOldest();
    entry.record.catch(() => {
      if (this.entries.get(id) === entry) this.entries.delete(id);
    });
    return entry.record;
  }

  /** Drops a connection, also where its look-up is still under way and may have read the old state. */
  forget(id: string): void {
    this.entries.delete(id);
  }

  private evictOldest(): void {
    const oldest = this.entries.keys().next();
    if (!oldest.done) this.entries.delete(oldest.value);
  }
}

export const connectionCache = () => shared("connection-cache", () => new ConnectionCache());
