import type { RatelimitConfig } from "@upstash/ratelimit";
import { Redis as UpstashRedis } from "@upstash/redis";
import type { Env } from "@/lib/env";
import { PATIENCE_MS } from "@/lib/limits/outage";
import { connectRedis, limitCommands } from "@/lib/limits/plain-redis";

export type StoreSettings = Partial<
  Pick<Env, "REDIS_URL" | "UPSTASH_REDIS_REST_URL" | "UPSTASH_REDIS_REST_TOKEN">
>;

/** A Redis shared by every process. */
export interface Store {
  redis: RatelimitConfig["redis"];
  close(): void;
}

/** Upstash over HTTP, else a plain Redis, else undefined: the limits live in this process. */
export function openStore(settings: StoreSettings): Store | undefined {
  const { REDIS_URL, UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token } = settings;
  if (url && token) return { redis: upstash(url, token), close: () => {} };
  if (!REDIS_URL) return undefined;
  const client = connectRedis(REDIS_URL);
  return {
    redis: limitCommands(client) as unknown as RatelimitConfig["redis"],
    close: () => client.disconnect(),
  };
}

/** The client retries five times over 4.4 s by default; a limit is not worth waiting for. */
function upstash(url: string, token: string): UpstashRedis {
  return new UpstashRedis({
    url,
    token,
    retry: { retries: 0 },
    signal: () => AbortSignal.timeout(PATIENCE_MS),
    enableTelemetry: false,
  });
}
