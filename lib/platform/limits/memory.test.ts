import { Ratelimit } from "@upstash/ratelimit";
import { beforeEach, expect, it } from "vitest";
import { inProcess } from "@/lib/platform/limits/limiter";
import {
  type Bucket,
  memorySlidingWindow,
  memoryTokenBucket,
  type Window,
} from "@/lib/platform/limits/memory";
import { RecentMap } from "@/lib/platform/limits/recent-map";

const START = Date.UTC(2031, 4, 5, 12);
let now = START;
let buckets: RecentMap<Bucket>;
let windows: RecentMap<Window>;
let bucket: Ratelimit;
let window: Ratelimit;

beforeEach(() => {
  now = START;
  buckets = new RecentMap(100);
  windows = new RecentMap(100);
  bucket = inProcess(
    "b",
    memoryTokenBucket({ refill: 2, intervalMs: 1_000, size: 3 }, () => now, buckets),
  );
  window = inProcess(
    "w",
    memorySlidingWindow(3, 60_000, () => now, windows),
  );
});

it("is the library that answers", () => {
  expect(bucket).toBeInstanceOf(Ratelimit);
});

it("remembers a bounded number of callers", async () => {
  for (let i = 0; i < 1_000; i++) {
    await bucket.limit(`id ${i}`);
    await window.limit(`id ${i}`);
  }
  expect([buckets.size, windows.size]).toEqual([100, 100]);
});

it("remembers no identifier that was only looked at", async () => {
  expect(await bucket.getRemaining("id")).toMatchObject({ remaining: 3, limit: 3 });
  expect(await window.getRemaining("id")).toMatchObject({ remaining: 3, limit: 3 });
  expect([buckets.size, windows.size]).toEqual([0, 0]);
});

it("keeps the rhythm of the refills, however irregular the requests", async () => {
  for (let i = 0; i < 3; i++) await bucket.limit("id");
  now += 1_700;
  expect(await bucket.limit("id")).toMatchObject({ success: true, remaining: 1, reset: START + 2_000 });
  now += 300;
  expect(await bucket.limit("id")).toMatchObject({ success: true, remaining: 2, reset: START + 3_000 });
});

it("goes on refilling after the clock was set back", async () => {
  for (let i = 0; i < 4; i++) await bucket.limit("id");
  now -= 3_600_000;
  expect(await bucket.limit("id")).toMatchObject({ success: false });
  now += 1_000;
  expect(await bucket.limit("id")).toMatchObject({ success: true, remaining: 1 });
});

it("counts the window before only as far as it still reaches", async () => {
  for (let i = 0; i < 3; i++) await window.limit("id");
  now += 60_000;
  expect(await window.limit("id")).toMatchObject({ success: false });
  now += 1;
  expect(await window.limit("id")).toMatchObject({ success: true, remaining: 0 });
  now += 20_000;
  expect(await window.limit("id")).toMatchObject({ success: true, remaining: 0 });
  now += 100_000;
  expect(await window.limit("id")).toMatchObject({ success: true, remaining: 2 });
});
