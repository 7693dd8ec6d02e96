import { expect, test } from "vitest";
import { storeDate, storeMidnight } from "./expiry";

test.each([
  ["2027-01-31", "2027-01-31T08:00:00.000Z"],
  ["2027-07-01", "2027-07-01T07:00:00.000Z"],
  ["2027-03-14", "2027-03-14T08:00:00.000Z"],
  ["2027-03-15", "2027-03-15T07:00:00.000Z"],
  ["2027-11-07", "2027-11-07T07:00:00.000Z"],
  ["2027-11-08", "2027-11-08T08:00:00.000Z"],
])("%s ends at midnight in California", (date, moment) => {
  expect(storeMidnight(date).toISOString()).toBe(moment);
  expect(storeDate(storeMidnight(date))).toBe(date);
});
