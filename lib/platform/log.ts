import { write, writeSync } from "node:fs";
import { type DestinationStream, type Logger, type LoggerOptions, pino } from "pino";
import { increase } from "@/lib/platform/counters";
import { describeError } from "@/lib/platform/describe-error";
import { env } from "@/lib/platform/env";
import { singleton } from "@/lib/platform/singleton";

/** Header and field names with secret or valuable content: never written, at the top of a line or one level deep. */
const SECRET_FIELDS = [
  "code",
  "key",
  "password",
  "secret",
  "signingSecret",
  "token",
  "authorization",
  "x-api-key",
  "cookie",
  "set-cookie",
];

/** Milliseconds and characters after which lines are written. A separate write per line used a thread each time. */
const GATHER_MS = 100;
const GATHERED = 8_192;

/** Characters of lines that wait while none can be written; further lines are dropped and counted. */
const MOST_WAITING = 4_194_304;

/**
 * A destination that writes gathered lines together, and the remaining ones when the process exits: only `kill -9`
 * loses them. It holds lines while the disk is full. The library's own destination then stopped the process
 * permanently, and it wrote ten times a second even without lines.
 */
export class GatheredLines implements DestinationStream {
  private lines: string[] = [];
  private waiting = 0;
  /** The bytes left by the write under way, or by one that failed. */
  private rest: Buffer = Buffer.alloc(0);
  private writing = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly file: number) {
    process.once("exit", () => this.end());
  }

  write(line: string): void {
    if (this.waiting > MOST_WAITING) increase("log_lines_dropped");
    else {
      this.lines.push(line);
      this.waiting += line.length;
      if (this.waiting >= GATHERED && this.rest.length === 0) this.flush();
      else this.arm();
    }
  }

  /** Writes the rest at once: a process that exits gives a slow reader a second and does not wait for room on a disk. */
  end(): void {
    let bytes = this.writing ? this.take() : Buffer.concat([this.rest, this.take()]);
    for (let tries = 0; bytes.length > 0 && tries < 100; tries++) {
      try {
        bytes = bytes.subarray(writeSync(this.file, bytes));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      }
    }
  }

  private take(): Buffer {
    const bytes = Buffer.from(this.lines.join(""));
    this.lines = [];
    this.waiting = 0;
    return bytes;
  }

  private arm(): void {
    this.timer ??= setTimeout(() => this.flush(), GATHER_MS).unref();
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.writing) return;
    if (this.rest.length === 0) this.rest = this.take();
    this.writing = true;
    write(this.file, this.rest, (error, written) => {
      this.writing = false;
      if (error) return this.arm();
      this.rest = this.rest.subarray(written);
      if (this.rest.length > 0 || this.waiting >= GATHERED) this.flush();
      else if (this.waiting > 0) this.arm();
    });
  }
}

const redact = {
  // `err.code` is listed so that the censor can recognise it: operators need it, and it is never a promo code.
  paths: ["err.code", ...SECRET_FIELDS.flatMap((name) => [`["${name}"]`, `*["${name}"]`])],
  censor: (value: unknown, path: unknown[]) =>
    path[0] === "err" && path[1] === "code" ? value : "[removed]",
};

/** Without its own message a line would get the error's, which may contain parameters. */
const hooks: LoggerOptions["hooks"] = {
  logMethod(args, method) {
    const bare = args.length === 1 && typeof args[0] === "object";
    method.apply(this, bare ? [args[0], "an error"] : args);
  },
};

const base = { pid: process.pid };
const stdout = () => singleton("log-destination", () => new GatheredLines(1));

/** The logger: one JSON line per event on standard output, secrets removed by name. */
export function log(): Logger {
  return singleton("log", () => loggerTo(stdout()));
}

/** The logger of request lines: fixed fields, not searched for secrets, which took a tenth of a request's CPU time. */
export function requestLogger(): Logger {
  return singleton("request-log", () => pino({ level: env().LOG_LEVEL, base }, stdout()));
}

/** A logger with the same settings and another destination, for tests. */
export function loggerTo(destination: DestinationStream): Logger {
  return pino(
    { level: env().LOG_LEVEL, base, redact, hooks, serializers: { err: describeError } },
    destination,
  );
}
