interface Entry<Value> {
  value: Promise<Value>;
  /** What `value` became, once it is there. */
  settled?: { value: Value };
  /** What was kept before, for as long as nothing newer is there. */
  former: { value: Value } | undefined;
  until: number;
}

/**
 * Keeps what `load` brought for `ttl` milliseconds, at most `size` keys. A failed load is not kept; what was there before
 * it is had from {@link last}.
 */
export class Cache<Value> {
  private readonly entries = new Map<string, Entry<Value>>();

  constructor(
    private readonly ttl: number,
    private readonly size: number,
    private readonly now: () => number = () => Date.now(),
  ) {}

  /** The kept value or a new one. Callers that come while a load runs share it. */
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

  /** What a key was when it was last loaded, however long ago: for those who must go on while loading fails. */
  last(key: string): Value | undefined {
    const entry = this.entries.get(key);
    return (entry?.settled ?? entry?.former)?.value;
  }

  /** Drops a key, also where its load is still under way and may have read the old state. */
  forget(key: string): void {
    this.entries.delete(key);
  }

  /** Drops every value that fits, and every load still under way: it may fit, and may have read the old state. */
  forgetWhere(fits: (value: Value) => boolean): void {
    for (const [key, { settled }] of this.entries) {
      if (!settled || fits(settled.value)) this.entries.delete(key);
    }
  }

  private put(key: string, entry: Entry<Value>): void {
    // Deleted first, because a Map keeps a known key's old place, and the oldest place is given up.
    this.entries.delete(key);
    for (const oldest of this.entries.keys()) {
      if (this.entries.size < this.size) break;
      this.entries.delete(oldest);
    }
    this.entries.set(key, entry);
  }
}
