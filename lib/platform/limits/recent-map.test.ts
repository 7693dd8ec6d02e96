import { expect, it } from "vitest";
import { BoundedMap, RecentMap } from "@/lib/platform/limits/recent-map";

it("never holds more than its capacity", () => {
  const buckets = new RecentMap<number>(1_000);
  let largest = 0;
  for (let i = 0; i < 10_000; i++) {
    buckets.set(`id ${i}`, i);
    buckets.get(`id ${i - 700}`);
    largest = Math.max(largest, buckets.size);
  }
  expect(largest).toBe(1_000);
});

it("keeps entries in use while others come and go", () => {
  const buckets = new RecentMap<string>(100);
  buckets.set("busy", "kept");
  for (let i = 0; i < 1_000; i++) {
    buckets.set(`passing ${i}`, "");
    expect(buckets.get("busy")).toBe("kept");
  }
  expect(buckets.get("passing 0")).toBeUndefined();
});

it("bounds the list of refused identifiers", () => {
  const refused = new BoundedMap(10);
  for (let i = 0; i < 25; i++) refused.set(`id ${i}`, i);
  expect(refused.size).toBe(5);
  expect(refused.get("id 24")).toBe(24);
});
