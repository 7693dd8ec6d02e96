interface Entry<Value> {
  value: Promise<Value>;
  /** What `value` became, once it is there. */
  settled?: { value: Value };
  until: number;
}

/** Keeps what `load` brought for `ttl` milliseconds, at most `size` keys; a failed load is not kept. */
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
    const entry: Entry<Value> = { value: load(), until: this.now() + this.ttl };
    this.put(key, entry);
    entry.value.then(
      (value) => {
        entry.settled = { value };
      },
      () => {
        if (this.entries.get(key) === entry) this.entries.delete(key);
      },
    );
    return entry.value;
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
