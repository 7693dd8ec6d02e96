const INTERVAL = 1_000;

/** What waits is written one batch after the other: within a second, or at once when somebody asks. */
export abstract class Writer {
  private timer: NodeJS.Timeout | undefined;
  private running = Promise.resolve();

  /** Writes what waits. Never rejects. */
  protected abstract write(): Promise<void>;

  /** Writes what waits; resolves when it is written or, the database being away, waits again. Never rejects. */
  flush(): Promise<void> {
    this.running = this.running.then(() => this.write());
    return this.running;
  }

  /** Sees to it that what came now is written within a second. */
  protected arm(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.flush();
    }, INTERVAL).unref();
  }
}
