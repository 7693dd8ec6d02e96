interface Entry<Value> {
  value: Promise<Value>;
  /** The loaded value, once it is there. */
  settled?: { value: Value };
  /** The value before this load, until a newer one is there. */
  former: { value: Value } | undefined;
  until: number;
}

/**
 * Caches loaded values for `ttl` milliseconds, at most `size` keys. A failed load is not cached; {@link last} returns the
 * value before it. Faster than `lru-cache` underneath (docs/decisions/libraries.md).
 */
export class Cache<Value> {
  private readonly entries = new Map<string, Entry<Value>>();

  constructor(
    private readonly ttl: number,
    private readonly size: number,
    private readonly now: () => number = () => Date.now(),
  ) {}

  /** The cached value or a new one. Callers share a load that is under way. */
  get(key: string, load: () => Promise<Value>): Promise<Value> {
    const known = this.entries.get(key);
    if (known && known.until > this.now()) return known.value;
    const former = known?.settled ?? known?.former;
    const entry: Entry<Value> = { value: load(), former, until: this.now() + this.ttl };
    this.put(key, entry);
    entry.value.then(
      (value) => {
        entry.settled = { value };
      },
      () => {
        if (this.entries.get(key) !== entry) return;
        if (former) entry.until = 0;
        else this.entries.delete(key);
      },
    );
    return entry.value;
  }

  /** The last loaded value of a key, however old: for callers that must go on while loading fails. */
  last(key: string): Value | undefined {
    const entry = this.entries.get(key);
    return (entry?.settled ?? entry?.former)?.value;
  }

  /** Drops a key, also while its load is under way and may have read the old state. */
  forget(key: string): void {
    this.entries.delete(key);
  }

  /** Drops every matching value, and every load under way: it may match, and may have read the old state. */
  forgetWhere(matches: (value: Value) => boolean): void {
    for (const [key, { settled }] of this.entries) {
      if (!settled || matches(settled.value)) this.entries.delete(key);
    }
  }

  private put(key: string, entry: Entry<Value>): void {
    // Deleted first, because a Map keeps a known key's position, and the oldest position is evicted.
    this.entries.delete(key);
    for (const oldest of this.entries.keys()) {
      if (this.entries.size < this.size) break;
      this.entries.delete(oldest);
    }
    this.entries.set(key, entry);
  }
}
