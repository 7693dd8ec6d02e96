import { type DestinationStream, type Logger, type LoggerOptions, pino } from "pino";
import { describeError } from "@/lib/describe-error";
import { env } from "@/lib/env";
import { shared } from "@/lib/shared";

/** Header and field names whose values are secrets or money: never written, at the top of a line or one deep. */
const SECRET_FIELDS = [
  ...["code", "key", "password", "secret", "signingSecret", "token"],
  ...["authorization", "x-api-key", "cookie", "set-cookie"],
];

/**
 * Lines gather for at most 100 ms or 8 KiB and are written at once; what is left is written when the process exits.
 * Only `kill -9` can lose them. A write for every line went through a thread each time.
 */
const GATHER = { minLength: 8_192, periodicFlush: 100, sync: false };

const redact = {
  // `err.code` is named so that the censor is told of it as such; it is never a promo code, and needed.
  paths: ["err.code", ...SECRET_FIELDS.flatMap((name) => [`["${name}"]`, `*["${name}"]`])],
  censor: (value: unknown, path: unknown[]) =>
    path[0] === "err" && path[1] === "code" ? value : "[removed]",
};

/** Without words of its own a line would take the error's, which may hold parameters. */
const hooks: LoggerOptions["hooks"] = {
  logMethod(args, method) {
    const bare = args.length === 1 && typeof args[0] === "object";
    method.apply(this, bare ? [args[0], "an error"] : args);
  },
};

const stdout = () => shared("log-destination", () => pino.destination({ dest: 1, ...GATHER }));

/** The only logger: one JSON line an event on standard output, secrets removed by name. */
export function log(): Logger {
  return shared("log", () => loggerTo(stdout()));
}

/**
 * For the line of a request alone, whose fields are a fixed list without secrets: looking for them by name in every
 * line took a tenth of a request's processor time.
 */
export function requestLog(): Logger {
  return shared("request-log", () => pino({ level: env().LOG_LEVEL, base: { pid: process.pid } }, stdout()));
}

/** A logger of the same settings that writes elsewhere, for tests. */
export function loggerTo(destination: DestinationStream): Logger {
  const base = { pid: process.pid };
  const serializers = { err: describeError };
  return pino({ level: env().LOG_LEVEL, base, redact, hooks, serializers }, destination);
}
