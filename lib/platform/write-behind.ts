const INTERVAL = 1_000;

/** A buffer whose rows are written in successive batches: within a second, or at once on {@link flush}. */
export abstract class WriteBehind {
  private timer: NodeJS.Timeout | undefined;
  private running = Promise.resolve();

  /** Writes the waiting rows. Never rejects. */
  protected abstract write(): Promise<void>;

  /** Writes the waiting rows. Resolves when they are written or, during an outage, wait again. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.running = this.running.then(() => this.write());
    return this.running;
  }

  /** Schedules a write within a second. */
  protected arm(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.flush();
    }, INTERVAL).unref();
  }
}
