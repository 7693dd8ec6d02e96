import { type DestinationStream, type Logger, type LoggerOptions, pino } from "pino";
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

/**
 * Lines are buffered for at most 100 ms or 8 KiB and written together; the rest is written when the process exits. Only
 * `kill -9` can lose them. A write for every line went through a thread each time.
 */
const BUFFERING = { minLength: 8_192, periodicFlush: 100, sync: false };

const redact = {
  // `err.code` is listed so that the censor can recognise it: it is never a promo code, and it is needed.
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
const stdout = () => singleton("log-destination", () => pino.destination({ dest: 1, ...BUFFERING }));

/** The logger: one JSON line per event on standard output, secrets removed by name. */
export function log(): Logger {
  return singleton("log", () => loggerTo(stdout()));
}

/** The logger of request lines: fixed fields without secrets, because searching them took a tenth of a request's CPU time. */
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
