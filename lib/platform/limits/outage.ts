import { increase } from "@/lib/platform/counters";
import type { Clock } from "@/lib/platform/limits/memory";
import { log } from "@/lib/platform/log";
import { singleton } from "@/lib/platform/singleton";

/** Maximum wait of a request for the store, in milliseconds, before this process decides alone. */
export const STORE_TIMEOUT_MS = 250;

/** Milliseconds between two probes of a store that is down. */
export const PROBE_EVERY_MS = 5_000;

const openOutages = () => singleton("limits.outages", () => new Set<Outage>());

/** Whether this process decides alone at present, because the store is down. */
export const limiterFallsBack = (): boolean => openOutages().size > 0;

/**
 * Remembers that the store is down, so that only one request waits to find out. Later ones use the fallback at once;
 * every `PROBE_EVERY_MS` a request starts a probe in the background without waiting for it.
 */
export class Outage {
  private since: number | undefined;
  private probeAt = 0;

  /** `probe` must use the store like a request: a store may answer reads and refuse writes. */
  constructor(
    private readonly probe: () => Promise<unknown>,
    private readonly now: Clock,
    private readonly timeoutMs = STORE_TIMEOUT_MS,
  ) {}

  /** The store's answer, or `fallback` when it is down, throws, or does not answer in time. Never throws. */
  async attempt<T>(call: () => Promise<T>, fallback: T): Promise<T> {
    if (this.since !== undefined) {
      const wait = this.probeAt - this.now();
      // A longer wait means that the clock was set back.
      if (wait <= 0 || wait > PROBE_EVERY_MS) void this.checkAgain(this.since);
      increase("limiter_fallbacks");
      return fallback;
    }
    try {
      return await within(this.timeoutMs, call());
    } catch (error) {
      this.begin(error);
      increase("limiter_fallbacks");
      return fallback;
    }
  }

  private begin(error: unknown): void {
    if (this.since !== undefined) return;
    this.since = this.now();
    openOutages().add(this);
    this.probeAt = this.since + PROBE_EVERY_MS;
    // Only the message: the client's errors carry the command, and that of a login contains the password.
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, 200);
    log().warn({ reason }, "the limit store is unavailable; each process counts for itself");
  }

  private async checkAgain(since: number): Promise<void> {
    this.probeAt = this.now() + PROBE_EVERY_MS;
    try {
      await within(this.timeoutMs, this.probe());
    } catch {
      return;
    }
    if (this.since !== since) return;
    this.since = undefined;
    openOutages().delete(this);
    log().info({ seconds: Math.round((this.now() - since) / 1000) }, "the limit store is available again");
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
