import { describe, expect, test } from "vitest";
import { isSilent } from "@/lib/alerts/silence";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.parse("2026-06-01T00:00:00Z");

/** Events at a steady pace, the newest so long ago. */
const steady = (pause: number, since: number, count = 20) =>
  Array.from({ length: count }, (_, index) => NOW - since - index * pause);

describe("a provider is silent", () => {
  test.each([
    ["after three days where it spoke every hour", HOUR, 3 * DAY + 1, true],
    ["not before three days, however busy it was", HOUR, 3 * DAY - 1, false],
    ["after five of its usual pauses where these are long", 2 * DAY, 10 * DAY + 1, true],
    ["not before five of them", 2 * DAY, 10 * DAY - 1, false],
  ])("%s", (_, pause, since, silent) => {
    expect(isSilent(steady(pause, since), NOW)).toBe(silent);
  });

  test("never where too few events tell of a habit", () => {
    expect(isSilent(steady(HOUR, 90 * DAY, 4), NOW)).toBe(false);
    expect(isSilent([], NOW)).toBe(false);
  });
});
