import { shared } from "@/lib/shared";
import type { KeyRecord } from "./record";

/** The contract's bound for a revocation to reach every other instance. */
const TTL_MS = 5_000;

/** Unknown keys with a right checksum are cached too, so the bound matters. */
const CAPACITY = 20_000;

interface Entry {
  record: Promise<KeyRecord | undefined>;
  /** The key's id once it is known, for {@link KeyCache.forget}. */
  keyId?: string;
  until: number;
}

/** Keys looked up lately, by hash. Parallel first requests share one look-up; a failed one is not kept. */
export class KeyCache {
  private readonly entries = new Map<string, Entry>();

  get(hash: string, load: () => Promise<KeyRecord | undefined>): Promise<KeyRecord | undefined> {
    const known = this.entries.get(hash);
    if (known && known.until > Date.now()) return known.record;
    const entry: Entry = { record: load(), until: Date.now() + TTL_MS };
    this.entries.delete(hash);
    this.entries.set(hash, entry);
    if (this.entries.size > CAPACITY) this.evictOldest();
    entry.record.then(
      (record) => {
        if (record) entry.keyId = record.id;
      },
      () => {
        if (this.entries.get(hash) === entry) this.entries.delete(hash);
      },
    );
    return entry.record;
  }

  /** Drops a key by its id; a look-up still under way is dropped too, since it may have read the old state. */
  forget(keyId: string): void {
    for (const [hash, entry] of this.entries) {
      if (entry.keyId === undefined || entry.keyId === keyId) this.entries.delete(hash);
    }
  }

  private evictOldest(): void {
    const oldest = this.entries.keys().next();
    if (!oldest.done) this.entries.delete(oldest.value);
  }
}

export const keyCache = () => shared("key-cache", () => new KeyCache());
