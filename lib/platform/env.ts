import { z } from "zod";

const url = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ""));

/** A URL, or undefined, because every check of a value runs, even after one has failed. */
const urlOf = (address: string) => (URL.canParse(address) ? new URL(address) : undefined);

const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, { error: "use an address such as postgres://user:password@host:5432/name" })
  .refine(URL.canParse, { error: "use one host and a port, such as postgres://user:password@host:5432/name" })
  .refine((address) => !urlOf(address)?.host.includes(","), { error: "use one host" })
  .refine((address) => !urlOf(address)?.hash, {
    error: "write special characters of the password in their percent encoding, such as %23 for #",
  });

const integer = (fallback: number, min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback);

const partsOf = (text: string) => text.split(/[\s,]+/).filter((part) => part !== "");

/** Networks in CIDR notation, separated by commas. */
const networks = z
  .string()
  .default("")
  .transform(partsOf)
  .pipe(z.array(z.union([z.cidrv4(), z.cidrv6()], { error: "use networks such as 10.0.0.0/8" })));

const SERVER = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:]+\])(?::\d{1,5})?$|^[\da-f]*:[\da-f:]+$/i;

/** Name servers as addresses, some with a port, separated by commas. */
const servers = z
  .string()
  .default("")
  .transform(partsOf)
  .pipe(z.array(z.string().regex(SERVER, { error: "use addresses such as 9.9.9.9 or [2620:fe::fe]:53" })));

/** Sentinels as hosts, some with a port, separated by commas. */
const sentinels = z
  .string()
  .transform(partsOf)
  .pipe(
    z.array(z.string().regex(/^[\w.-]+(?::\d{1,5})?$/, { error: "use hosts such as redis-1:26379" })).min(1),
  );

/** Secrets of 32 characters or more, separated by commas. */
const secrets = z
  .string()
  .default("")
  .transform(partsOf)
  .pipe(z.array(z.string().min(32, { error: "use keys of 32 characters or more" })));

/** Every setting an operator can make, in the order of `.env.example`; `NODE_ENV` is set by the commands. */
export const settings = z.object({
  NODE_ENV: z.enum(["development", "production", "test"]).default("production"),
  APP_URL: url.optional(),
  LANDING_URL: url.optional(),
  PORT: integer(3000, 1, 65535),
  HOST: z.string().min(1).default("0.0.0.0"),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_POOL_SIZE: integer(8, 1, 200),
  DATABASE_WAIT_MS: integer(2_000, 100, 60_000),
  DATABASE_POOLER: z.enum(["none", "transaction"]).default("none"),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  DATA_DIR: z.string().min(1).default(".data"),
  POSTGRES_BIN: z.string().min(1).optional(),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//)
    .optional(),
  REDIS_SENTINELS: sentinels.optional(),
  UPSTASH_REDIS_REST_URL: url.optional(),
  UPSTASH_REDIS_REST_TOKEN: z.string().min(1).optional(),
  AUTH_SECRET: z.string().min(32).optional(),
  SEALING_KEYS: secrets,
  SOURCE_URL: url.optional(),
  SOURCE_EDIT_URL: url.optional(),
  SIGN_UP: z.enum(["open", "closed"]).default("open"),
  SESSION_IDLE_HOURS: integer(7 * 24, 1, 14 * 24),
  GITHUB_ID: z.string().min(1).optional(),
  GITHUB_SECRET: z.string().min(1).optional(),
  GOOGLE_ID: z.string().min(1).optional(),
  GOOGLE_SECRET: z.string().min(1).optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//)
    .optional(),
  MAIL_FROM: z.string().min(3).optional(),
  MAILBOX: z.enum(["auto", "on"]).default("auto"),
  DEFAULT_PLAN: z.enum(["free", "basic", "pro", "enterprise"]).default("free"),
  ROLE: z.enum(["all", "web", "worker"]).default("all"),
  WEB_PROCESSES: integer(0, 0, 64),
  TRUSTED_PROXIES: integer(0, 0, 10),
  DRAIN_DELAY_MS: integer(0, 0, 120_000),
  KEY_BURST_PER_SECOND: integer(2_000, 1, 1_000_000),
  KEY_BURST_SIZE: integer(4_000, 1, 1_000_000),
  KEY_INVALID_REQUESTS_PER_MINUTE: integer(120, 1, 1_000_000),
  KEY_UNKNOWN_METACODES_PER_HOUR: integer(1_000, 1, 1_000_000),
  USER_UNKNOWN_METACODES_PER_HOUR: integer(20, 1, 1_000_000),
  ADDRESS_UNKNOWN_METACODES_PER_HOUR: integer(60, 1, 1_000_000),
  IP_REQUESTS_PER_MINUTE: integer(120, 1, 1_000_000),
  PAGES_PER_MINUTE: integer(600, 1, 1_000_000),
  OUTBOUND_ALLOW: networks,
  DNS_SERVERS: servers,
  OPERATOR_EMAIL: z.email().optional(),
  METRICS_TOKEN: z.string().min(16).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().default(""),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
  SAMPLE_WORKSPACE: z.enum(["auto", "never"]).default("auto"),
  PUBLIC_DEMO: z.enum(["off", "on"]).default("off"),
  SHARDING: z.enum(["off", "citus"]).default("off"),
});

export type Env = z.output<typeof settings> & { APP_URL: string; LANDING_URL: string };

/** Pairs of settings that only work together. */
const TOGETHER = [
  ["UPSTASH_REDIS_REST_URL", "UPSTASH_REDIS_REST_TOKEN"],
  ["GITHUB_ID", "GITHUB_SECRET"],
  ["GOOGLE_ID", "GOOGLE_SECRET"],
  ["SMTP_URL", "MAIL_FROM"],
] as const;

/**
 * Parses the environment. An empty string counts as unset, so `.env.example` works unedited. Throws an `Error`
 * whose message is one line that names the variable.
 */
export function parseEnv(source: Record<string, string | undefined>): Env {
  // `DEMO` is the former name of a setting, which installations may still use.
  const named = { ...source, SAMPLE_WORKSPACE: source.SAMPLE_WORKSPACE || source.DEMO };
  const given = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== ""));
  const result = settings.safeParse(given);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw new Error(`Bad environment variable ${String(issue?.path[0])}: ${issue?.message}`);
  }
  const env = result.data;
  for (const [name, other] of TOGETHER) {
    if (Boolean(env[name]) === Boolean(env[other])) continue;
    throw new Error(`Bad environment variable ${other}: set it together with ${name}`);
  }
  if (env.REDIS_SENTINELS && !env.REDIS_URL)
    throw new Error(
      "Bad environment variable REDIS_URL: set it to redis://<name of the primary> with REDIS_SENTINELS",
    );
  const appUrl = env.APP_URL ?? `http://localhost:${env.PORT}`;
  return { ...env, APP_URL: appUrl, LANDING_URL: env.LANDING_URL ?? appUrl };
}

/** A command as operators of this installation type it: `server.js` of a release sets the variable, a clone has npm. */
export function commandLine(command: string, args = ""): string {
  const [program, separator] = process.env.METACODE_COMMAND
    ? [process.env.METACODE_COMMAND, " "]
    : ["npm run", " -- "];
  return `${program} ${command}${args && separator + args}`;
}

/** Connections of a process for its queues, beside `DATABASE_POOL_SIZE`, so that requests and queues do not compete. */
export const BACKGROUND_CONNECTIONS = 4;

/** A database's address without its pooler, for work that needs a session; undefined if only the pooler's is known. */
export function directUrl(
  { DATABASE_POOLER, DATABASE_DIRECT_URL }: Pick<Env, "DATABASE_POOLER" | "DATABASE_DIRECT_URL">,
  url: string,
): string | undefined {
  return DATABASE_DIRECT_URL ?? (DATABASE_POOLER === "none" ? url : undefined);
}

let parsed: Env | undefined;

/** The process's environment, parsed on first use; the only reader of `process.env`. */
export function env(): Env {
  parsed ??= parseEnv(process.env);
  return parsed;
}

/** Adds what a start has created, such as its database. A line of the log may have parsed the environment before. */
export function completeEnv(made: Record<string, string>): void {
  Object.assign(process.env, made);
  parsed = undefined;
}
