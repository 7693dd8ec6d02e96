import { expect, onTestFinished, test, vi } from "vitest";
import { Cache } from "./cache";

test("loads a key once in its time, and again after it", async () => {
  let now = 0;
  let loads = 0;
  const cache = new Cache<number>(5_000, 10, () => now);
  const load = async () => ++loads;
  expect(await Promise.all([cache.get("a", load), cache.get("a", load)])).toEqual([1, 1]);
  now = 4_999;
  expect(await cache.get("a", load)).toBe(1);
  now = 5_000;
  expect(await cache.get("a", load)).toBe(2);
});

test("a clock that is set back by an hour keeps nothing longer", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const cache = new Cache<string>(1, 10);
  await cache.get("a", async () => "old");
  vi.setSystemTime(Date.now() - 3_600_000);
  await vi.waitFor(async () => expect(await cache.get("a", async () => "new")).toBe("new"), {
    timeout: 60_000,
  });
});

test("caches a missing value as well", async () => {
  const cache = new Cache<string | undefined>(5_000, 10, () => 0);
  await cache.get("a", async () => undefined);
  expect(await cache.get("a", async () => "late")).toBeUndefined();
});

test("holds a limited number of keys and evicts the oldest", async () => {
  const cache = new Cache<string>(5_000, 2, () => 0);
  for (const key of ["a", "b", "c"]) await cache.get(key, async () => "old");
  expect(await cache.get("b", async () => "new")).toBe("old");
  expect(await cache.get("c", async () => "new")).toBe("old");
  expect(await cache.get("a", async () => "new")).toBe("new");
  expect(await cache.get("b", async () => "new")).toBe("new");
});

test("a key loaded again is young again", async () => {
  let now = 0;
  const cache = new Cache<string>(5_000, 3, () => now);
  await cache.get("a", async () => "old");
  now = 4_999;
  await cache.get("b", async () => "old");
  now = 5_000;
  for (const key of ["a", "c", "d"]) await cache.get(key, async () => "new");
  expect(await cache.get("a", async () => "newer")).toBe("new");
  expect(await cache.get("b", async () => "newer")).toBe("newer");
});

test("keeps no failure", async () => {
  const cache = new Cache<string>(5_000, 2, () => 0);
  await expect(cache.get("a", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(await cache.get("a", async () => "back")).toBe("back");
});

test("a late failure does not drop a value that was loaded since", async () => {
  const cache = new Cache<string>(5_000, 2, () => 0);
  let fail = () => {};
  const early = cache.get("a", () => new Promise((_, reject) => (fail = () => reject(new Error("away")))));
  cache.forget("a");
  await cache.get("a", async () => "kept");
  fail();
  await expect(early).rejects.toThrow("away");
  expect(await cache.get("a", async () => "other")).toBe("kept");
});

test.each([
  ["by its key", (cache: Cache<string>) => cache.forget("a")],
  ["by its value", (cache: Cache<string>) => cache.forgetWhere((value) => value === "old")],
])("forgets %s, also what is still being loaded, and nothing else", async (_, forget) => {
  const cache = new Cache<string>(5_000, 10, () => 0);
  await cache.get("a", async () => "old");
  await cache.get("b", async () => "other");
  forget(cache);
  const loading = cache.get("a", async () => "old");
  forget(cache);
  expect(await loading).toBe("old");
  expect(await cache.get("a", async () => "new")).toBe("new");
  expect(await cache.get("b", async () => "new")).toBe("other");
});

test("the last value stays available while loading fails, until it is dropped", async () => {
  let now = 0;
  const cache = new Cache<string>(5_000, 10, () => now);
  const fails = () => Promise.reject(new Error("away"));
  await cache.get("a", async () => "old");
  now = 5_000;
  for (let tries = 0; tries < 2; tries += 1) {
    await expect(cache.get("a", fails)).rejects.toThrow("away");
    expect(cache.last("a")).toBe("old");
  }
  expect(cache.last("b")).toBeUndefined();
  expect(await cache.get("a", async () => "new")).toBe("new");
  expect(cache.last("a")).toBe("new");
  now = 10_000;
  await expect(cache.get("a", fails)).rejects.toThrow("away");
  cache.forget("a");
  expect(cache.last("a")).toBeUndefined();
  await cache.get("c", async () => "old");
  now = 15_000;
  const loading = cache.get("c", async () => "read before the change");
  cache.forgetWhere(() => false);
  expect(cache.last("c")).toBeUndefined();
  await loading;
});
