import { Writable } from "node:stream";
import { pino } from "pino";
import type { LimitSettings } from "@/lib/platform/limits/limits";
import { forgetSingleton, singleton } from "@/lib/platform/singleton";

/** Limits low enough for tests: 5 at once and 2 a second, 4 unknown metacodes, 10 per address. */
export const SMALL: LimitSettings = {
  KEY_BURST_PER_SECOND: 2,
  KEY_BURST_SIZE: 5,
  KEY_INVALID_REQUESTS_PER_MINUTE: 3,
  KEY_UNKNOWN_METACODES_PER_HOUR: 4,
  USER_UNKNOWN_METACODES_PER_HOUR: 2,
  ADDRESS_UNKNOWN_METACODES_PER_HOUR: 3,
  IP_REQUESTS_PER_MINUTE: 10,
  AUTH_SECRET: "s".repeat(32),
};

/** Replaces the process's logger by one that writes into the array returned. */
export function captureLog(): { msg: string; level: number; reason?: string }[] {
  const lines: { msg: string; level: number; reason?: string }[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()));
      done();
    },
  });
  forgetSingleton("log");
  singleton("log", () => pino({}, sink));
  return lines;
}
