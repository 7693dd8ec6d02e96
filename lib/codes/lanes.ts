/** Runs tasks side by side, at most `width` at once. */
export class Lanes {
  private readonly running = new Set<Promise<void>>();
  private failure: { error: unknown } | undefined;

  constructor(private readonly width: number) {}

  /** Starts a task as soon as a lane is free. Throws the first failure of an earlier one. */
  async add(task: () => Promise<void>): Promise<void> {
    while (this.running.size >= this.width) await Promise.race(this.running);
    this.rethrow();
    const run = task()
      .catch((error: unknown) => {
        this.failure ??= { error };
      })
      .finally(() => this.running.delete(run));
    this.running.add(run);
  }

  /** Waits for everything that runs and never throws. */
  async settle(): Promise<void> {
    await Promise.all(this.running);
  }

  /** Waits for everything; throws the first failure. */
  async finish(): Promise<void> {
    await this.settle();
    this.rethrow();
  }

  private rethrow(): void {
    if (this.failure) throw this.failure.error;
  }
}
