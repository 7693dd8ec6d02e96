import { createHash } from "node:crypto";
import type { RatelimitConfig } from "@upstash/ratelimit";
import { Redis as UpstashRedis } from "@upstash/redis";
import { Redis, type RedisOptions } from "ioredis";
import type { Env } from "@/lib/platform/env";
import { STORE_TIMEOUT_MS } from "@/lib/platform/limits/outage";

export type StoreSettings = Partial<
  Pick<Env, "REDIS_URL" | "REDIS_SENTINELS" | "UPSTASH_REDIS_REST_URL" | "UPSTASH_REDIS_REST_TOKEN">
>;

/** A Redis shared by every process. */
export interface LimitStore {
  redis: RatelimitConfig["redis"];
  close(): void;
}

/** Upstash over HTTP, else a plain Redis, else undefined: the limits live in this process. */
export function openStore(settings: StoreSettings, timeoutMs = STORE_TIMEOUT_MS): LimitStore | undefined {
  const {
    REDIS_URL,
    REDIS_SENTINELS,
    UPSTASH_REDIS_REST_URL: url,
    UPSTASH_REDIS_REST_TOKEN: token,
  } = settings;
  if (url && token) return { redis: upstash(url, token, timeoutMs), close: () => {} };
  if (!REDIS_URL) return undefined;
  const client = connectRedis(REDIS_URL, REDIS_SENTINELS, timeoutMs);
  return {
    redis: limitCommands(client) as unknown as RatelimitConfig["redis"],
    close: () => client.disconnect(),
  };
}

/** A client without retries: by default it retries for 4.4 s, and a limit is not worth waiting for. */
function upstash(url: string, token: string, timeoutMs: number): UpstashRedis {
  return new UpstashRedis({
    url,
    token,
    retry: { retries: 0 },
    signal: () => AbortSignal.timeout(timeoutMs),
    enableTelemetry: false,
  });
}

/** The commands that `@upstash/ratelimit` calls. */
interface LimitCommands {
  evalsha(hash: string, keys: string[], args: unknown[]): Promise<unknown>;
  eval(script: string, keys: string[], args: unknown[]): Promise<unknown>;
  get(key: string): Promise<unknown>;
  set(key: string, value: string | number): Promise<unknown>;
}

/** Removes the first line of the library's scripts, which only Upstash understands; stock Redis refuses it. */
export function withoutShebang(script: string): string {
  return script.replace(/^#!lua[^\n]*\n/, "");
}

const sha1 = (text: string) => createHash("sha1").update(text).digest("hex");

const values = (args: unknown[]) =>
  args.map((value) => (typeof value === "number" ? value : String(value ?? "")));

/**
 * Adapts stock Redis to the library. The library identifies each script by the hash of its text; the text in Redis
 * is one line shorter, so its hash is looked up here. An unknown hash answers NOSCRIPT, and the library sends the
 * text.
 */
function limitCommands(client: Redis): LimitCommands {
  const hashes = new Map<string, string>();
  return {
    async evalsha(hash, keys, args) {
      const stored = hashes.get(hash);
      if (stored === undefined) throw new Error("NOSCRIPT No matching script");
      return client.evalsha(stored, keys.length, ...keys, ...values(args));
    },
    eval(script, keys, args) {
      const text = withoutShebang(script);
      hashes.set(sha1(script), sha1(text));
      return client.eval(text, keys.length, ...keys, ...values(args));
    },
    get: (key) => client.get(key),
    set: (key, value) => client.set(key, value),
  };
}

/** Milliseconds for a connection to Redis or to a Sentinel. */
const CONNECT_MS = 2_000;

const retryStrategy = (attempt: number) => Math.min(attempt * 100, 2_000);

/** Connects in the background and keeps reconnecting; a command fails after `timeoutMs` at the latest. */
function connectRedis(url: string, sentinels: string[] | undefined, timeoutMs: number): Redis {
  const options: RedisOptions = {
    commandTimeout: timeoutMs,
    connectTimeout: CONNECT_MS,
    socketTimeout: 5_000,
    maxRetriesPerRequest: 1,
    autoResendUnfulfilledCommands: false,
    retryStrategy,
    // The address may lead to another primary now, while the connection stays with the former one.
    reconnectOnError: ({ message }) => message.includes("READONLY"),
  };
  const client = sentinels ? new Redis({ ...options, ...elected(url, sentinels) }) : new Redis(url, options);
  // Without a listener the client prints every failed reconnection; the caller logs the outage once.
  client.on("error", () => {});
  return client;
}

/** The options for the primary that the Sentinels elect; `url` carries its name as host, and user, password and TLS. */
function elected(url: string, sentinels: string[]): RedisOptions {
  const { protocol, hostname, username, password, pathname } = new URL(url);
  return {
    name: hostname,
    sentinels: sentinels.map((sentinel) => {
      const [host, port = "26379"] = sentinel.split(":");
      return { host, port: Number(port) };
    }),
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    db: Number(pathname.slice(1)) || 0,
    ...(protocol === "rediss:" && { tls: {}, enableTLSForSentinelMode: true }),
    sentinelRetryStrategy: retryStrategy,
    sentinelCommandTimeout: CONNECT_MS,
  };
}
