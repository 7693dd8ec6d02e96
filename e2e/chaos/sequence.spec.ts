import { expect, test } from "playwright/test";
import { FAULTS } from "./faults";
import { type PlannedFault, sequenceOf } from "./sequence";

const COUNT = Object.keys(FAULTS).length;

function firstOf(seed: number, count: number): PlannedFault[] {
  const sequence = sequenceOf(seed);
  return Array.from({ length: count }, () => sequence.next().value);
}

test("a seed repeats its faults with their durations, and another one does not", () => {
  expect(firstOf(1, 30)).toEqual(firstOf(1, 30));
  expect(firstOf(2, 30)).not.toEqual(firstOf(1, 30));
});

test("every fault comes before any comes again", () => {
  const faults = firstOf(3, 2 * COUNT).map(({ fault }) => fault);
  expect(new Set(faults.slice(0, COUNT)).size).toBe(COUNT);
  expect(new Set(faults.slice(COUNT)).size).toBe(COUNT);
});
