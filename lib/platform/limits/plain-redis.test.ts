import { expect, it, vi } from "vitest";
import { createLimits } from "@/lib/platform/limits/limits";
import { withoutShebang } from "@/lib/platform/limits/store";
import { SMALL } from "@/lib/testing/redis/limits";
import { needingRedis, redisBinary, startRedis } from "@/lib/testing/redis/redis";

it("drops only the line stock Redis refuses", () => {
  expect(withoutShebang("#!lua flags=allow-key-locking\nreturn 1\n")).toBe("return 1\n");
  expect(withoutShebang("return '#!lua x'\n")).toBe("return '#!lua x'\n");
});

it.skipIf(!redisBinary())(
  needingRedis("sends the text of a script once and its hash from then on"),
  async () => {
    const redis = await startRedis();
    const limits = createLimits({ ...SMALL, REDIS_URL: redis.url }, Date.now, 60_000);
    for (let i = 0; i < 10; i++) await limits.ip("192.0.2.1");
    const stats = String(await redis.command("info", "commandstats"));
    limits.close();
    await redis.stop();
    expect(/cmdstat_eval:calls=(\d+)/.exec(stats)?.[1]).toBe("1");
    expect(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1]).toBe("9");
  },
);

it.skipIf(!redisBinary())(
  needingRedis("stores no network address and no email address, and counts them for all processes together"),
  async () => {
    const redis = await startRedis();
    const settings = { ...SMALL, REDIS_URL: redis.url };
    const processes = [settings, settings].map((own) => createLimits(own, Date.now, 60_000));
    const left: number[] = [];
    for (const limits of processes) {
      await limits.invitation("ann", "ben@example.com");
      left.push((await limits.perAddress("code", 20, "key 2001:db8:0:1::/64")).remaining);
      left.push((await limits.ip("192.0.2.1")).remaining);
      await limits.lookUp("key 192.0.2.1");
    }
    const keys = String(await redis.command("keys", "*"));
    for (const limits of processes) limits.close();
    await redis.stop();
    expect(left).toEqual([19, 9, 18, 8]);
    expect(keys).toMatch(/metacode:code-20:/);
    expect(keys).not.toMatch(/192\.0\.2|2001:db8|example/);
  },
);

it.skipIf(!redisBinary())(
  needingRedis("leaves a server that became a replica, because its name may lead to another primary now"),
  async () => {
    const redis = await startRedis();
    const limits = createLimits({ ...SMALL, REDIS_URL: redis.url }, Date.now, 60_000);
    const connection = async () =>
      /^id=(\d+) .* cmd=(?!client)/m.exec(String(await redis.command("client", "list")))?.[1];
    await limits.ip("192.0.2.1");
    const first = await connection();
    expect(first).toBeDefined();
    await redis.command("replicaof", "127.0.0.1", "1");
    await limits.ip("192.0.2.1");
    await vi.waitFor(async () => {
      const now = await connection();
      expect([now, now === first]).toEqual([expect.any(String), false]);
    }, 60_000);
    limits.close();
    await redis.stop();
  },
);

it("uses no store without AUTH_SECRET, in whose hashes addresses could be guessed", () => {
  const { AUTH_SECRET: _, ...settings } = SMALL;
  const store = { UPSTASH_REDIS_REST_URL: "https://redis.example", UPSTASH_REDIS_REST_TOKEN: "token" };
  expect(() => createLimits({ ...settings, ...store })).toThrow("AUTH_SECRET is missing");
  expect(() => createLimits(settings)).not.toThrow();
});
