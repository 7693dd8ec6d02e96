import { expect, test } from "vitest";
import { dayField, expiryFault, expiryIn, latestExpiry, storeDate, storeMidnight } from "./expiry";

test.each([
  ["2027-01-31", "2027-01-31T08:00:00.000Z"],
  ["2027-07-01", "2027-07-01T07:00:00.000Z"],
  ["2027-03-14", "2027-03-14T08:00:00.000Z"],
  ["2027-03-15", "2027-03-15T07:00:00.000Z"],
  ["2027-11-07", "2027-11-07T07:00:00.000Z"],
  ["2027-11-08", "2027-11-08T08:00:00.000Z"],
])("%s ends at 00:00 Pacific Time", (date, time) => {
  expect(storeMidnight(date).toISOString()).toBe(time);
  expect(storeDate(storeMidnight(date))).toBe(date);
});

test.each(["2027-13-01", "0000-00-00", "2027-02-30", "2027-04-31", "2027-00-10", "12027-01-01", "soon", ""])(
  "%j is refused as a day",
  (text) => {
    const { error } = dayField("expiresAt").safeParse(text);
    expect(error?.issues[0]?.message).toMatch(/^expiresAt must be a day/);
  },
);

test.each([
  ["2026-03-15T12:00:00Z", "2026-09-15"],
  ["2026-08-31T12:00:00Z", "2027-02-28"],
  ["2026-12-31T12:00:00Z", "2027-06-30"],
  // In Pacific Time the 15th has not begun.
  ["2026-03-15T02:00:00Z", "2026-09-14"],
])("codes created at %s expire on %s at the latest", (now, day) => {
  expect(latestExpiry(new Date(now))).toBe(day);
});

test("a number of days is cut to the latest accepted day", () => {
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
