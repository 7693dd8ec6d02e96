/**
 * A map of at most `capacity` entries that forgets the least recently used half at once. Two plain maps cost one look-up
 * on the hot path; `lru-cache` takes twice as long and allocates its capacity ahead (docs/decisions/libraries.md).
 */
export class RecentMap<T> {
  private readonly half: number;
  private recent = new Map<string, T>();
  private older = new Map<string, T>();

  constructor(capacity: number) {
    this.half = Math.max(1, Math.floor(capacity / 2));
  }

  /** Number of entries; an entry that was moved to the recent half counts twice. */
  get size(): number {
    return this.recent.size + this.older.size;
  }

  get(id: string): T | undefined {
    const hit = this.recent.get(id);
    if (hit !== undefined) return hit;
    const aged = this.older.get(id);
    if (aged !== undefined) this.set(id, aged);
    return aged;
  }

  set(id: string, value: T): void {
    if (this.recent.size >= this.half && !this.recent.has(id)) {
      this.older = this.recent;
      this.recent = new Map();
    }
    this.recent.set(id, value);
  }
}

/** A `Map` that is cleared when full, for the library's list of refused identifiers, which would only grow. */
export class BoundedMap extends Map<string, number> {
  constructor(private readonly capacity: number) {
    super();
  }

  override set(key: string, value: number): this {
    if (this.size >= this.capacity && !this.has(key)) this.clear();
    return super.set(key, value);
  }
}
