import { performance } from "node:perf_hooks";
import type { Call } from "../chaos/load";

/** The calls of a step: the number of failures, and the longest time without a success. */
export class Timeline {
  readonly failures = new Map<string, number>();
  private answeredAt = performance.now();
  private longest = 0;
  private ended: number | undefined;

  constructor(private readonly now = () => performance.now()) {
    this.answeredAt = now();
  }

  /** Records a call. An acknowledged confirmation says nothing about the database, because the service can spool it. */
  note({ name, status, good }: Call): void {
    if (!good) {
      const kind = `${name.split(" of ", 1)[0]} ${status || "no response"}`;
      this.failures.set(kind, (this.failures.get(kind) ?? 0) + 1);
    } else if (!name.startsWith("the confirmation") && this.ended === undefined) {
      this.longest = this.outageMs();
      this.answeredAt = this.now();
    }
  }

  /** The longest time without a successful call, until the end or now. */
  outageMs(): number {
    return Math.max(this.longest, (this.ended ?? this.now()) - this.answeredAt);
  }

  /** Marks the end of the load, after which silence is no outage. */
  end(): void {
    this.ended = this.now();
  }

  get failed(): number {
    return [...this.failures.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Whether a call has succeeded since a time. */
  answeredSince(time: number): boolean {
    return this.answeredAt > time;
  }
}
