import { Writable } from "node:stream";
import { pino } from "pino";
import { log, requestLogger } from "@/lib/platform/log";

/** Collects the lines of the loggers in a list, with the loggers' own settings. */
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
