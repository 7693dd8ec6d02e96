import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { afterEach, beforeEach, onTestFinished, vi } from "vitest";
import { forgetSingleton } from "@/lib/platform/singleton";

/** Noon: a limit's window of a minute or an hour has just begun, and one of a day has twelve hours left. */
export const CLOCK_START = Date.UTC(2031, 4, 5, 12);

/**
 * Returns a function that lets milliseconds pass on this process's clocks, and so for its caches, until the end of the test.
 * Timers stay real.
 */
export function usePassingTime(): (milliseconds: number) => void {
  const elapsed = performance.now.bind(performance);
  let passed = 0;
  afterEach(() => {
    passed = 0;
    vi.useRealTimers();
  });
  return (milliseconds) => {
    passed += milliseconds;
    vi.spyOn(performance, "now").mockImplementation(() => elapsed() + passed);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });
  };
}

/** Stops the clock of this process until the end of the test, so that no limit's window ends meanwhile. Timers stay real. */
export function stopClock(): void {
  forgetSingleton("limits");
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Sets the clock of each test to {@link CLOCK_START}; timers stay real. Returns a function that advances it by seconds. */
export function useClock(): (seconds: number) => void {
  beforeEach(() => {
    // The limiters still hold the clock of the test that created them.
    forgetSingleton("limits");
    vi.useFakeTimers({ toFake: ["Date"], now: CLOCK_START });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  return (seconds) => vi.setSystemTime(Date.now() + seconds * 1_000);
}

/**
 * A stored time `seconds` later, for an update. Without UTC, PostgreSQL adds in the session's time zone, and a cluster
 * refuses expressions that depend on the session.
 */
export function later(time: SQLWrapper, seconds: number): SQL {
  return sql`(${time} at time zone 'UTC' + make_interval(secs => ${seconds})) at time zone 'UTC'`;
}
