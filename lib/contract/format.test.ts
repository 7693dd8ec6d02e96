import { describe, expect, test } from "vitest";
import {
  formatCount,
  formatDate,
  formatDateTime,
  formatDaysLeft,
  formatDuration,
  formatLongDate,
  formatNumber,
  formatPercent,
  formatRelative,
  formatRewards,
  formatZoned,
  isoDay,
  isTyped,
} from "./format";

const at = new Date("2026-12-01T14:05:00Z");

describe("the format of", () => {
  test("numbers and counts", () => {
    expect(formatNumber(1_234)).toBe("1,234");
    expect(formatCount(1, "code")).toBe("1 code");
    expect(formatCount(0, "code")).toBe("0 codes");
    expect(formatCount(2_000, "delivery", "deliveries")).toBe("2,000 deliveries");
  });

  test.each([
    [39, 100, "39%"],
    [5, 1_000, "0.5%"],
    [2, 100, "2%"],
    [0, 7, "0%"],
    [7, 7, "100%"],
    [1, 0, undefined],
    [8, 7, undefined],
  ])("%i of %i as a percentage", (part, of, text) => {
    expect(formatPercent(part, of)).toBe(text);
  });

  test("dates, in UTC or with the zone", () => {
    expect(formatLongDate(at)).toBe("1 December 2026");
    expect(formatDate(at)).toBe("1 Dec 2026");
    expect(formatDateTime(at)).toBe("1 Dec 2026, 14:05 UTC");
    expect(formatZoned(at, "Europe/Berlin")).toMatch(/^1 Dec 2026, 15:05:\d\d CET$/);
    expect(formatZoned(at, "Asia/Kolkata")).toMatch(/^1 Dec 2026, 19:35:\d\d GMT\+5:30$/);
    expect([isoDay(at), isoDay(at.getTime())]).toEqual(["2026-12-01", "2026-12-01"]);
  });

  test.each([
    [0, "just now"],
    [-3 * 60_000, "3 minutes ago"],
    [7 * 86_400_000, "in 7 days"],
    [-31 * 86_400_000, "31 Oct 2026"],
  ])("%i ms from now", (distance, text) => {
    expect(formatRelative(new Date(at.getTime() + distance), at.getTime())).toBe(text);
  });

  test.each([
    [{ earned: 0, claimed: 0, withdrawn: 0 }, "0"],
    [{ earned: 3, claimed: 1, withdrawn: 0 }, "1 of 3 claimed"],
    [{ earned: 1_200, claimed: 2, withdrawn: 1 }, "2 of 1,200 claimed, 1 withdrawn"],
  ])("rewards: %j", (rewards, text) => {
    expect(formatRewards(rewards)).toBe(text);
  });

  test("durations", () => {
    expect([840, 3_210, 45_600, 1_400_000].map(formatDuration)).toEqual([
      "840 µs",
      "3.2 ms",
      "46 ms",
      "1.4 s",
    ]);
    expect([0.5, 12.9, 900].map(formatDaysLeft)).toEqual(["Less than a day", "12 days", "More than 2 years"]);
  });
});

test("a name is typed as it is seen, where two spaces and a no-break space look like one", () => {
  expect(isTyped("My  Spring\u00a0App", " My Spring App")).toBe(true);
  expect(isTyped("My  Spring\u00a0App", "My  Spring\u00a0App")).toBe(true);
  expect(isTyped("My Spring App", "MySpring App")).toBe(false);
});
