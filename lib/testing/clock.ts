import { afterEach, beforeEach, vi } from "vitest";
import { forgetSingleton } from "@/lib/platform/singleton";

/** Noon, so that the windows of limits begin far away. */
export const CLOCK_START = Date.UTC(2031, 4, 5, 12);

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
