import { type Logger, pino } from "pino";
import { env } from "@/lib/env";
import { shared } from "@/lib/shared";

/** Header and field names whose values are secrets or money: never written. */
const SECRET_FIELDS = ["code", "key", "password", "secret", "authorization", "x-api-key", "cookie", "token"];

/** The only logger: one JSON line an event on standard output, secrets removed by name. */
export function log(): Logger {
  return shared("log", () =>
    pino({
      level: env().LOG_LEVEL,
      base: { pid: process.pid },
      redact: {
        paths: SECRET_FIELDS.flatMap((name) => [`["${name}"]`, `*["${name}"]`]),
        censor: "[removed]",
      },
    }),
  );
}
