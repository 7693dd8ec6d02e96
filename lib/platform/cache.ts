interface Entry<Value> {
  value: Promise<Value>;
  /** The loaded value, once loading has finished. */
  settled?: { value: Value };
  /** The previous value, until this load has finished. */
  former: { value: Value } | undefined;
  until: number;
}

/**
 * Caches loaded values for `ttl` milliseconds, at most `size` keys. A failed load is not cached; {@link last} returns
 * the value before it. Uses a monotonic clock: when the machine's was set back by an hour, a revoked key was valid for
 * another hour. Faster than a wrapper around `lru-cache` (docs/decisions/libraries.md).
 */
export class Cache<Value> {
  private readonly entries = new Map<string, Entry<Value>>();

  constructor(
    private readonly ttl: number,
    private readonly size: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The cached value or a new one. Concurrent callers share a load. */
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

  /** The last loaded value of a key, however old: for callers that must continue while loading fails. */
  last(key: string): Value | undefined {
    const entry = this.entries.get(key);
    return (entry?.settled ?? entry?.former)?.value;
  }

  /** Drops a key, including a load under way, which may have read the old state. */
  forget(key: string): void {
    this.entries.delete(key);
  }

  /** Drops every matching value, and every load under way, which may match and may have read the old state. */
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
