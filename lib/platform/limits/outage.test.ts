import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { freePort } from "@/lib/platform/embedded-postgres/address";
import { createLimits, type Limits } from "@/lib/platform/limits/limits";
import { Outage, PROBE_EVERY_MS, STORE_TIMEOUT_MS } from "@/lib/platform/limits/outage";
import type { StoreSettings } from "@/lib/platform/limits/store";
import { startBridge } from "@/lib/testing/redis/bridge";
import { captureLog, SMALL } from "@/lib/testing/redis/limits";
import { needingRedis, redisBinary, startRedis, startSilentServer } from "@/lib/testing/redis/redis";

const START = Date.UTC(2031, 4, 5, 12);
const DOWN = "the limit store is unavailable; each process counts for itself";
const BACK = "the limit store is available again";

let now = START;
let cleanups: (() => unknown)[] = [];
let log: ReturnType<typeof captureLog>;

beforeEach(() => {
  now = START;
  log = captureLog();
});

afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  cleanups = [];
});

function open(settings: StoreSettings, patience?: number): Limits {
  const limits = createLimits({ ...SMALL, ...settings }, () => now, patience);
  cleanups.push(() => limits.close());
  return limits;
}

const upstash = (port: number): StoreSettings => ({
  UPSTASH_REDIS_REST_URL: `http://127.0.0.1:${port}`,
  UPSTASH_REDIS_REST_TOKEN: "bridge-token",
});

const plain = (port: number): StoreSettings => ({ REDIS_URL: `redis://127.0.0.1:${port}` });

async function silentPort(): Promise<number> {
  const server = await startSilentServer();
  cleanups.push(() => server.stop());
  return server.port;
}

/** Sends requests at intervals of the test's clock until the store is used again. */
async function noticed(limits: Limits): Promise<void> {
  await vi.waitFor(
    async () => {
      now += PROBE_EVERY_MS;
      await limits.ip("192.0.2.1");
      expect(log.at(-1)?.msg).toBe(BACK);
    },
    { timeout: 60_000, interval: 100 },
  );
}

const FAULTS: [string, () => Promise<StoreSettings>][] = [
  ["a plain Redis that refuses", async () => plain(await freePort())],
  ["a plain Redis that is silent", async () => plain(await silentPort())],
  ["an Upstash that refuses", async () => upstash(await freePort())],
  ["an Upstash that is silent", async () => upstash(await silentPort())],
];

describe.each(FAULTS)("%s", (_name, settings) => {
  it("lets requests pass within 300 ms, with true numbers and one log line", async () => {
    const limits = open(await settings());
    const id = randomUUID();
    const answers = Promise.all(Array.from({ length: 4 }, () => limits.key(id)));
    const late = new Promise((resolve) => setTimeout(() => resolve("later than 300 ms"), 300));
    const decisions = await Promise.race([answers, late]);
    const expected = [4, 3, 2, 1].map((remaining) => ({
      allowed: true,
      limit: 5,
      remaining,
      resetAt: START / 1000 + 1,
      retryAfter: 0,
    }));
    expect(decisions).toEqual(expected);
    expect(await limits.ip("192.0.2.1")).toMatchObject({ allowed: true, limit: 10, remaining: 9 });
    expect(await limits.peekGuess(id)).toMatchObject({ allowed: true, limit: 2, remaining: 2 });
    expect(log.map((line) => line.msg)).toEqual([DOWN]);
  });

  it("makes no further request wait, and still limits", async () => {
    const limits = open(await settings());
    const id = randomUUID();
    await limits.key(id);
    const wait = vi.spyOn(globalThis, "setTimeout");
    cleanups.push(() => wait.mockRestore());
    for (const allowed of [true, true, true, true, false]) {
      expect(await limits.key(id)).toMatchObject({ allowed, limit: 5 });
    }
    expect(wait).not.toHaveBeenCalledWith(expect.anything(), STORE_TIMEOUT_MS);
    expect(log).toHaveLength(1);
  });
});

it("waits for no client that forgets to give up", async () => {
  const outage = new Outage(
    () => Promise.resolve(),
    () => now,
  );
  const late = new Promise((resolve) => setTimeout(() => resolve("later than 300 ms"), 300));
  const own = outage.attempt<string>(() => new Promise(() => {}), "own");
  expect(await Promise.race([own, late])).toBe("own");
});

it("probes the store soon although the clock was set back", async () => {
  const probe = vi.fn(() => Promise.reject(new Error("away")));
  const outage = new Outage(probe, () => now);
  const ask = () => outage.attempt<string>(() => Promise.reject(new Error("away")), "own");
  await ask();
  await ask();
  expect(probe).not.toHaveBeenCalled();
  now -= 3_600_000;
  await ask();
  await ask();
  expect(probe).toHaveBeenCalledTimes(1);
  now += PROBE_EVERY_MS;
  await ask();
  expect(probe).toHaveBeenCalledTimes(2);
});

describe.skipIf(!redisBinary())(needingRedis("a Redis that comes back"), () => {
  it("is used again once it answers, and a second outage has its own log line", async () => {
    const redis = await startRedis();
    cleanups.push(() => redis.stop());
    const limits = open(plain(redis.port));
    const id = randomUUID();
    await limits.unknownMetacode(id);
    redis.pause();
    expect(await limits.unknownMetacode(id)).toMatchObject({ allowed: true, limit: 4, remaining: 2 });
    expect(log.map((line) => line.msg)).toEqual([DOWN]);
    redis.resume();
    await noticed(limits);
    const before = log.length;
    redis.pause();
    await limits.unknownMetacode(id);
    await limits.unknownMetacode(id);
    redis.resume();
    expect(log.slice(before).map((line) => line.msg)).toEqual([DOWN]);
  });

  it("is not believed while it only reads", async () => {
    const redis = await startRedis();
    cleanups.push(() => redis.stop());
    // A slow answer on a busy machine would be another reason.
    const limits = open(plain(redis.port), 60_000);
    const id = randomUUID();
    await limits.key(id);
    await redis.command("replicaof", "127.0.0.1", String(await freePort()));
    expect(await limits.key(id)).toMatchObject({ allowed: true, remaining: 3 });
    await vi.waitFor(async () => {
      now += PROBE_EVERY_MS;
      await limits.ip("192.0.2.1");
      const refusals = String(await redis.command("info", "errorstats"));
      expect(Number(/READONLY:count=(\d+)/.exec(refusals)?.[1])).toBeGreaterThan(2);
    }, 60_000);
    expect(log.map((line) => line.msg)).toEqual([DOWN]);
    expect(log[0]?.reason).toContain("READONLY");
    await redis.command("replicaof", "no", "one");
    await noticed(limits);
  });

  it("is found when it starts after this process, by either client", async () => {
    const port = await freePort();
    const limits = open(plain(port));
    expect(await limits.ip("192.0.2.9")).toMatchObject({ allowed: true, remaining: 9 });
    const redis = await startRedis(port);
    cleanups.push(() => redis.stop());
    await noticed(limits);
    const bridge = await startBridge(redis.url);
    cleanups.push(() => bridge.stop());
    const other = open({ UPSTASH_REDIS_REST_URL: bridge.url, UPSTASH_REDIS_REST_TOKEN: bridge.token });
    const before = log.length;
    redis.pause();
    await other.ip("192.0.2.9");
    expect(log.slice(before).map((line) => line.msg)).toEqual([DOWN]);
    redis.resume();
    await noticed(other);
  });
});
