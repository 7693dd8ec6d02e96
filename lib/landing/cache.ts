interface Entry<T> {
  value: Promise<T>;
  until: number;
}

/** Keeps what `load` brought for `ttl` milliseconds, at most `size` keys; a failed load is forgotten at once. */
export class Cache<T> {
  private readonly entries = new Map<string, Entry<T>>();

  constructor(
    private readonly ttl: number,
    private readonly size: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** Callers that come while a load runs share it. */
  get(key: string, load: () => Promise<T>): Promise<T> {
    const found = this.entries.get(key);
    if (found && found.until > this.now()) return found.value;
    // Deleted first, because a Map keeps a known key's old place, and the oldest place is given up.
    this.entries.delete(key);
    for (const oldest of this.entries.keys()) {
      if (this.entries.size < this.size) break;
      this.entries.delete(oldest);
    }
    const entry = { value: load(), until: this.now() + this.ttl };
    this.entries.set(key, entry);
    entry.value.catch(() => {
      if (this.entries.get(key) === entry) this.entries.delete(key);
    });
    return entry.value;
  }
}
