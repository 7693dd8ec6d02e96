import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { SLOW_LOOKUPS_PER_MINUTE } from "@/lib/platform/limits/key-limits";
import { createLimits, type LimitSettings, type Limits } from "@/lib/platform/limits/limits";
import type { StoreSettings } from "@/lib/platform/limits/store";
import { type Bridge, startBridge } from "@/lib/testing/redis/bridge";
import { captureLog, SMALL } from "@/lib/testing/redis/limits";
import { needingRedis, redisBinary, startRedis, type TestRedis } from "@/lib/testing/redis/redis";

/** A full hour, so that windows begin here. */
const START = Date.UTC(2031, 4, 5, 12);

let redis: TestRedis | undefined;
let bridge: Bridge | undefined;
const log = captureLog();

beforeAll(async () => {
  if (!redisBinary()) return;
  redis = await startRedis();
  bridge = await startBridge(redis.url);
});

afterAll(async () => {
  await bridge?.stop();
  await redis?.stop();
});

interface Kept {
  name: string;
  needsRedis: boolean;
  settings: () => StoreSettings;
}

const STORES: Kept[] = [
  { name: "limits in this process", needsRedis: false, settings: () => ({}) },
  {
    name: needingRedis("limits in plain Redis"),
    needsRedis: true,
    settings: () => ({ REDIS_URL: redis?.url }),
  },
  {
    name: needingRedis("limits in Upstash"),
    needsRedis: true,
    settings: () => ({ UPSTASH_REDIS_REST_URL: bridge?.url, UPSTASH_REDIS_REST_TOKEN: bridge?.token }),
  },
];

for (const { name, needsRedis, settings } of STORES) {
  describe.skipIf(needsRedis && !redisBinary())(name, () => {
    const open: Limits[] = [];
    let limits: Limits;
    let id: string;
    const make = (extra: Partial<LimitSettings> = {}) => {
      // A slow machine must not count as an outage, which has separate tests.
      const made = createLimits({ ...SMALL, ...settings(), ...extra }, Date.now, 60_000);
      open.push(made);
      return made;
    };
    const advance = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
    const times = <T>(count: number, call: () => Promise<T>) =>
      Promise.all(Array.from({ length: count }, call));

    beforeEach(() => {
      vi.useFakeTimers({ toFake: ["Date"], now: START });
      log.length = 0;
      limits = make();
      id = randomUUID();
    });

    afterEach(() => {
      for (const made of open.splice(0)) made.close();
      vi.useRealTimers();
      expect(log).toEqual([]);
    });

    it("counts no email against the first of two limits that the second refuses", async () => {
      const invite = (email: string) => limits.invitation(id, email);
      const decisions = await times(60, () => invite("ann@example.com"));
      expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(5);
      expect(await invite("ben@example.com")).toMatchObject({ allowed: true });
      const email = (problem: string, within: string) =>
        limits.problemEmail(id, problem, "ann@example.com", within);
      for (let n = 0; n < 50; n++) await email(`${n}`, "full");
      for (let n = 0; n < 5; n++) expect(await email("one", "full")).toMatchObject({ allowed: false });
      expect(await email("one", "other")).toMatchObject({ allowed: true });
    });

    it("passes a burst, refuses the next and says when to come back", async () => {
      for (const remaining of [4, 3, 2, 1, 0]) {
        const decision = { allowed: true, limit: 5, remaining, resetAt: START / 1000 + 1, retryAfter: 0 };
        expect(await limits.key(id)).toEqual(decision);
      }
      advance(300);
      const refused = { allowed: false, limit: 5, remaining: 0, resetAt: START / 1000 + 1, retryAfter: 1 };
      expect(await limits.key(id)).toEqual(refused);
      expect(await limits.key(id)).toEqual(refused);
    });

    it("refills a key's burst every second, and no further than its size", async () => {
      await times(5, () => limits.key(id));
      advance(999);
      expect(await limits.key(id)).toMatchObject({ allowed: false });
      advance(2);
      expect(await limits.key(id)).toMatchObject({ allowed: true, remaining: 1 });
      advance(3_600_000);
      expect(await limits.key(id)).toMatchObject({ allowed: true, remaining: 4 });
    });

    it("lets exactly the limit pass when 64 come at once", async () => {
      const decisions = await times(64, () => limits.key(id));
      expect(decisions.filter((decision) => decision.allowed)).toHaveLength(5);
      const guesses = await times(64, () => limits.unknownMetacode(id));
      expect(guesses.filter((decision) => decision.allowed)).toHaveLength(4);
    });

    it("counts each key and each limit for itself", async () => {
      await times(6, () => limits.key(id));
      expect(await limits.key(randomUUID())).toMatchObject({ allowed: true, remaining: 4 });
      expect(await limits.unknownMetacode(id)).toMatchObject({ allowed: true, limit: 4, remaining: 3 });
    });

    it("counts an address by the minute, and as much of the minute before as still matters", async () => {
      const [a, b] = [Math.floor(Math.random() * 65_536).toString(16), "2001:db8:77"];
      const first = await times(10, () => limits.ip(`${b}:${a}::1`));
      expect(first.at(-1)).toMatchObject({ allowed: true, limit: 10, resetAt: START / 1000 + 60 });
      const refused = await limits.ip(`${b}:${a}:ffff::2`);
      expect(refused).toMatchObject({ allowed: false, remaining: 0, retryAfter: 61 });
      advance(60_001);
      expect(await limits.ip(`${b}:${a}::3`)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await limits.ip(`${b}:${a}::3`)).toMatchObject({ allowed: false, remaining: 0 });
      advance(30_000);
      expect(await limits.ip(`${b}:${a}::3`)).toMatchObject({ allowed: true, remaining: 4 });
      advance(120_000);
      expect(await limits.ip(`${b}:${a}::3`)).toMatchObject({ allowed: true, remaining: 9 });
    });

    it("lets a refused caller pass after the wait that the response named", async () => {
      await times(4, () => limits.unknownMetacode(id));
      advance(1_234_567);
      const { allowed, retryAfter } = await limits.unknownMetacode(id);
      expect(allowed).toBe(false);
      advance(retryAfter * 1000);
      expect(await limits.unknownMetacode(id)).toMatchObject({ allowed: true });
    });

    it("tells whether an end user may still guess without counting it", async () => {
      await times(20, () => limits.peekGuess(id));
      expect(await limits.peekGuess(id)).toMatchObject({ allowed: true, limit: 2, remaining: 2 });
      await times(2, () => limits.guess(id));
      const used = await limits.peekGuess(id);
      expect(used).toEqual({
        allowed: false,
        limit: 2,
        remaining: 0,
        resetAt: START / 1000 + 3600,
        retryAfter: 3601,
      });
    });

    it("makes up for an unknown metacode with a known one", async () => {
      await times(4, () => limits.unknownMetacode(id));
      await limits.knownMetacode(id);
      expect(await limits.unknownMetacode(id)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await limits.unknownMetacode(id)).toMatchObject({ allowed: false });
    });

    it("gives no credit for metacodes that exist, also while those of the hour before count in part", async () => {
      await times(4, () => limits.unknownMetacode(id));
      advance(3_600_000);
      await times(3, () => limits.knownMetacode(id));
      advance(3_540_000);
      expect((await times(5, () => limits.unknownMetacode(id))).at(-1)).toMatchObject({ allowed: false });
    });

    it("slows an address down once its guesses are used up, and never closes the door for an hour", async () => {
      await times(40, () => limits.lookUp(id));
      await times(3, () => limits.guessFrom(id));
      const decisions = await times(40, () => limits.lookUp(id));
      expect(decisions.filter((decision) => decision.allowed)).toHaveLength(SLOW_LOOKUPS_PER_MINUTE);
      expect(decisions.at(-1)).toMatchObject({ allowed: false, retryAfter: 61 });
      advance(120_000);
      expect(await limits.lookUp(id)).toMatchObject({ allowed: true });
    });

    it("caps codes and new referrers of an address apart, and takes a code back", async () => {
      const codes = await times(8, () => limits.perAddress("code", 3, id));
      expect(codes.filter((decision) => decision.allowed)).toHaveLength(3);
      expect(await limits.perAddress("referrer", 3, id)).toMatchObject({
        allowed: true,
        limit: 3,
        remaining: 2,
      });
      await limits.returnUnit("code", 3, id);
      expect(await limits.perAddress("code", 3, id)).toMatchObject({ allowed: true, remaining: 0 });
      advance(12 * 3_600_000);
      expect(await limits.perAddress("code", 3, id)).toMatchObject({ allowed: false });
      advance(36 * 3_600_000);
      expect(await limits.perAddress("code", 3, id)).toMatchObject({ allowed: true });
    });

    it("lets 5 attempts to sign in pass for an account and address, and 20 for an address", async () => {
      const address = `203.0.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`;
      const decisions = await times(8, () => limits.signIn(id, { address }));
      expect(decisions.filter((decision) => decision.allowed)).toHaveLength(5);
      const others = await times(30, () => limits.signIn(randomUUID(), { address }));
      expect(others.filter((decision) => decision.allowed)).toHaveLength(15);
      advance(3_600_000 * 2);
      expect(await limits.signIn(id, { address })).toMatchObject({ allowed: true });
    });

    it("uncounts a successful attempt to sign in, and no more than that one", async () => {
      const address = `198.51.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`;
      await times(5, () => limits.signIn(id, { address }));
      await limits.signedIn(id, { address });
      expect(await limits.signIn(id, { address })).toMatchObject({ allowed: true });
      expect(await limits.signIn(id, { address })).toMatchObject({ allowed: false });
    });

    if (!needsRedis) return;

    it("counts across processes", async () => {
      await times(3, () => limits.unknownMetacode(id));
      const other = make();
      expect(await other.unknownMetacode(id)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await limits.unknownMetacode(id)).toMatchObject({ allowed: false });
    });
  });
}

describe.skipIf(!redisBinary())(needingRedis("the Upstash client"), () => {
  it("speaks to the bridge, and asks nothing for a key it knows to be refused", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: START });
    const limits = createLimits({
      ...SMALL,
      KEY_BURST_SIZE: 1,
      KEY_BURST_PER_SECOND: 1,
      UPSTASH_REDIS_REST_URL: bridge?.url,
      UPSTASH_REDIS_REST_TOKEN: bridge?.token,
    });
    const id = randomUUID();
    const before = bridge?.requests.length ?? 0;
    await limits.key(id);
    await limits.key(id);
    const sent = bridge?.requests.length ?? 0;
    expect(sent).toBeGreaterThan(before);
    expect(await limits.key(id)).toMatchObject({ allowed: false, limit: 1, retryAfter: 2 });
    expect(bridge?.requests).toHaveLength(sent);
    vi.useRealTimers();
  });
});
