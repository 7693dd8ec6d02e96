import { createHash } from "node:crypto";
import { Redis } from "ioredis";
import { PATIENCE_MS } from "@/lib/limits/outage";

/** Just the commands `@upstash/ratelimit` calls. */
interface LimitCommands {
  evalsha(hash: string, keys: string[], args: unknown[]): Promise<unknown>;
  eval(script: string, keys: string[], args: unknown[]): Promise<unknown>;
  get(key: string): Promise<unknown>;
  set(key: string, value: string | number): Promise<unknown>;
}

/** The library's scripts open with a line only Upstash understands; stock Redis refuses the whole script for it. */
export function withoutShebang(script: string): string {
  return script.replace(/^#!lua[^\n]*\n/, "");
}

const sha1 = (text: string) => createHash("sha1").update(text).digest("hex");

const values = (args: unknown[]) =>
  args.map((value) => (typeof value === "number" ? value : String(value ?? "")));

/**
 * Lets the library speak to stock Redis. It knows each script by the hash of the text it ships; the text Redis keeps is
 * one line shorter, so its hash is looked up here. An unknown hash answers NOSCRIPT and the library sends the text.
 */
export function limitCommands(client: Redis): LimitCommands {
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

/** Connects in the background and keeps reconnecting; a command fails after `PATIENCE_MS` whatever the reason. */
export function connectRedis(url: string): Redis {
  const client = new Redis(url, {
    commandTimeout: PATIENCE_MS,
    connectTimeout: 2_000,
    socketTimeout: 5_000,
    maxRetriesPerRequest: 1,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  // Without a listener the client prints every failed reconnection; the outage is logged once, by the caller.
  client.on("error", () => {});
  return client;
}
