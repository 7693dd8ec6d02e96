import { expect, it } from "vitest";
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
