import { setTimeout as pause } from "node:timers/promises";
import { beforeEach, vi } from "vitest";
import { completeEnv } from "@/lib/platform/env";
import { forgetSingletons } from "@/lib/platform/singleton";
import { WriteBehind } from "@/lib/platform/write-behind";

// Test files share the modules of their process, because loading them costs more than most tests. Each file still begins
// like a new process: with the environment of the run, no singletons of an earlier file, and the real clock.
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

// Daily budgets, figures and salts start again at midnight, which must not fall between two steps of a test.
beforeEach(async () => {
  const left = DAY_MS - (vi.getRealSystemTime() % DAY_MS);
  if (left <= MARGIN) await pause(left + 1_000);
});

/**
 * Forgets the singletons of an earlier file, whose buffers would otherwise write their rows into this file's database
 * within a second, or warn in its log that they could not.
 */
export function endEarlierWork(): void {
  for (const instance of forgetSingletons()) {
    if (instance instanceof WriteBehind) Object.assign(instance, { write: () => Promise.resolve() });
  }
}
