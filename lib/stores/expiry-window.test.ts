import { expect, test } from "vitest";
import { expiryFault, expiryIn, latestExpiry } from "./expiry-window";

test.each([
  ["2026-03-15T12:00:00Z", "2026-09-15"],
  ["2026-08-31T12:00:00Z", "2027-02-28"],
  ["2026-12-31T12:00:00Z", "2027-06-30"],
  // In California the 15th has not begun.
  ["2026-03-15T02:00:00Z", "2026-09-14"],
])("codes made at %s end on %s at the latest", (now, day) => {
  expect(latestExpiry(new Date(now))).toBe(day);
});

test("a number of days is cut to what is allowed", () => {
  const now = new Date("2026-03-15T12:00:00Z");
  expect(expiryIn(30, now)).toBe("2026-04-14");
  expect(expiryIn(365, now)).toBe("2026-09-15");
});

test("a day is refused that has begun or is too far away", () => {
  const now = new Date("2026-03-15T12:00:00Z");
  expect(expiryFault("2026-03-15", now)).toMatch(/after today/);
  expect(expiryFault("2026-03-16", now)).toBeUndefined();
  expect(expiryFault("2026-09-15", now)).toBeUndefined();
  expect(expiryFault("2026-09-16", now)).toMatch(/six months/);
});
