import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { freePort } from "@/lib/platform/embedded-postgres/address";
import { createLimits, type LimitSettings } from "@/lib/platform/limits/limits";
import { PROBE_EVERY_MS } from "@/lib/platform/limits/outage";
import { needing } from "@/lib/testing/needing";
import { captureLog, SMALL } from "@/lib/testing/redis/limits";
import { redisBinary, startRedis, startSentinel } from "@/lib/testing/redis/redis";

let now = Date.UTC(2031, 4, 5, 12);
let cleanups: (() => unknown)[] = [];
let log: ReturnType<typeof captureLog>;

beforeEach(() => {
  log = captureLog();
});
afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  cleanups = [];
});

function open(settings: Partial<LimitSettings>) {
  const limits = createLimits({ ...SMALL, ...settings }, () => now);
  cleanups.push(() => limits.close());
  return limits;
}

const settings = (...ports: number[]) => ({
  REDIS_URL: "redis://metacode",
  REDIS_SENTINELS: ports.map((port) => `127.0.0.1:${port}`),
});

const sentinel = redisBinary("redis-sentinel");
describe.skipIf(!sentinel)(
  needing("the primary that Sentinel elects", sentinel, "no redis-sentinel on this machine"),
  () => {
    it("counts the limits, and its successor does after it has died", async () => {
      const [primary, replica] = [await startRedis(), await startRedis()];
      await replica.command("replicaof", "127.0.0.1", String(primary.port));
      const sentinel = await startSentinel(primary.port);
      cleanups.push(primary.stop, replica.stop, sentinel.stop);
      await vi.waitFor(
        async () =>
          expect(String(await sentinel.command("sentinel", "replicas", "metacode"))).toContain("ok"),
        60_000,
      );
      // The first address leads nowhere.
      const limits = open(settings(await freePort(), sentinel.port));
      const counted = async (redis: typeof primary) =>
        /cmdstat_evalsha:calls=(\d+)/.exec(String(await redis.command("info", "commandstats")))?.[1];
      await vi.waitFor(async () => {
        now += PROBE_EVERY_MS;
        await limits.ip("192.0.2.1");
        expect(await counted(primary)).toBeDefined();
      }, 60_000);
      await primary.stop();
      const id = randomUUID();
      expect(await limits.key(id)).toMatchObject({ allowed: true, remaining: 4 });
      await vi.waitFor(
        async () => {
          now += PROBE_EVERY_MS;
          expect(await limits.ip("192.0.2.2")).toMatchObject({ limit: 10 });
          expect(await counted(replica)).toBeDefined();
          expect(log.at(-1)?.msg).toBe("the limit store is available again");
        },
        { timeout: 60_000, interval: 100 },
      );
    });
  },
);

it("Sentinels that are away count as a store that is away", async () => {
  const limits = open(settings(await freePort()));
  expect(await limits.ip("192.0.2.3")).toMatchObject({ allowed: true, limit: 10, remaining: 9 });
  expect(log).toHaveLength(1);
});
