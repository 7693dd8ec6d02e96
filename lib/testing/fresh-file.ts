import { vi } from "vitest";
import { completeEnv } from "@/lib/platform/env";
import { forgetSingletons } from "@/lib/platform/singleton";

// Files share the modules of their process, because loading them costs more than most tests. Each begins like a new
// process regardless: with the environment of the run, no instance of an earlier file and the real clock.
const holder = process as unknown as { ofRun?: NodeJS.ProcessEnv };
holder.ofRun ??= { ...process.env };
for (const name of Object.keys(process.env)) if (!(name in holder.ofRun)) delete process.env[name];
completeEnv(holder.ofRun as Record<string, string>);
forgetSingletons();
vi.useRealTimers();
vi.restoreAllMocks();
