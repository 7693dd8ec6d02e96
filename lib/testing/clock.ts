import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { afterEach, beforeEach, onTestFinished, vi } from "vitest";
import { forgetSingleton } from "@/lib/platform/singleton";

/** Noon, so that the windows of limits begin far away. */
export const CLOCK_START = Date.UTC(2031, 4, 5, 12);

/**
 * Returns a way to let milliseconds pass in this process, on its clock and for its caches, until the end of the test. Timers
 * stay real.
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

/** Stops the clock of this process until the end of the test, so that no window of a limit turns meanwhile. Timers stay real. */
export function stopClock(): void {
  forgetSingleton("limits");
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Sets the clock of each test to {@link CLOCK_START} and leaves timers alone; returns a way to advance it by seconds. */
export function useClock(): (seconds: number) => void {
  beforeEach(() => {
    // They hold on to the clock of the test that made them.
    forgetSingleton("limits");
    vi.useFakeTimers({ toFake: ["Date"], now: CLOCK_START });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  return (seconds) => vi.setSystemTime(Date.now() + seconds * 1_000);
}

/**
 * A stored time `seconds` later, for an update. Without UTC, PostgreSQL adds in the time zone of the session, and a cluster
 * refuses a sum that depends on it.
 */
export function later(time: SQLWrapper, seconds: number): SQL {
  return sql`(${time} at time zone 'UTC' + make_interval(secs => ${seconds})) at time zone 'UTC'`;
}
