import { setTimeout as pause } from "node:timers/promises";
import { beforeEach, vi } from "vitest";
import { completeEnv } from "@/lib/platform/env";
import { forgetSingletons } from "@/lib/platform/singleton";
import { WriteBehind } from "@/lib/platform/write-behind";

// Files share the modules of their process, because loading them costs more than most tests. Each begins like a new
// process regardless: with the environment of the run, no instance of an earlier file and the real clock.
const holder = process as unknown as { ofRun?: NodeJS.ProcessEnv };
holder.ofRun ??= { ...process.env };
for (const name of Object.keys(process.env)) if (!(name in holder.ofRun)) delete process.env[name];
completeEnv(holder.ofRun as Record<string, string>);
endEarlierWork();
vi.useRealTimers();
vi.restoreAllMocks();

const DAY_MS = 86_400_000;

/** Milliseconds before midnight UTC in which no test starts. Most take less. */
const MARGIN = 60_000;

// Budgets, figures and salts of a day begin again at midnight, between two steps of a test.
beforeEach(async () => {
  const left = DAY_MS - (vi.getRealSystemTime() % DAY_MS);
  if (left <= MARGIN) await pause(left + 1_000);
});

/**
 * Forgets the instances of an earlier file. A second later its buffers would write what they still hold into the database
 * of this file, or warn in its log that they could not.
 */
export function endEarlierWork(): void {
  for (const instance of forgetSingletons()) {
    if (instance instanceof WriteBehind) Object.assign(instance, { write: () => Promise.resolve() });
  }
}
