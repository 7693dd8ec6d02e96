import type { Clock } from "@/lib/limits/memory";
import { log } from "@/lib/log";

/** Milliseconds a request waits for the store before it is judged by this process alone. */
export const PATIENCE_MS = 250;

/** Milliseconds between two looks at a store that is down. */
export const PROBE_EVERY_MS = 5_000;

/**
 * Remembers that the store is down, so that one request pays for finding out and not every one. Later ones take the
 * fallback at once; every `PROBE_EVERY_MS` one of them starts a probe in the background without waiting for it.
 */
export class Outage {
  private since: number | undefined;
  private probeAt = 0;

  /** `probe` must do to the store what a request does: a store may answer reads and refuse writes. */
  constructor(
    private readonly probe: () => Promise<unknown>,
    private readonly now: Clock,
    private readonly patience = PATIENCE_MS,
  ) {}

  /** The store's answer, or `fallback` when it is down, throws, or stays silent for too long. Never throws. */
  async attempt<T>(call: () => Promise<T>, fallback: T): Promise<T> {
    if (this.since !== undefined) {
      if (this.now() >= this.probeAt) void this.lookAgain(this.since);
      return fallback;
    }
    try {
      return await within(this.patience, call());
    } catch (error) {
      this.begin(error);
      return fallback;
    }
  }

  private begin(error: unknown): void {
    if (this.since !== undefined) return;
    this.since = this.now();
    this.probeAt = this.since + PROBE_EVERY_MS;
    // Only the message: the client's errors carry the command, and that of a login is the password.
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, 200);
    log().warn({ reason }, "the limit store is unavailable, this process limits on its own");
  }

  private async lookAgain(since: number): Promise<void> {
    this.probeAt = this.now() + PROBE_EVERY_MS;
    try {
      await within(this.patience, this.probe());
    } catch {
      return;
    }
    if (this.since !== since) return;
    this.since = undefined;
    log().info({ seconds: Math.round((this.now() - since) / 1000) }, "the limit store is back");
  }
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([work, silence]);
  } finally {
    clearTimeout(timer);
  }
}
