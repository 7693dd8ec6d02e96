import { Writable } from "node:stream";
import { pino } from "pino";
import { log, requestLogger } from "@/lib/platform/log";

/** Sends what the loggers write into a list, through their own settings. */
export function captureLogLines(): string[] {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  for (const logger of [log(), requestLogger()]) {
    (logger as unknown as Record<symbol, unknown>)[pino.symbols.streamSym] = sink;
  }
  return lines;
}
