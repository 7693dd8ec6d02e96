import { expect, test } from "vitest";
import { FirstLineIndex } from "./first-line-index";

test("finds the first line of repeated texts, and of no other text, among 300,000", () => {
  const lines = new FirstLineIndex();
  const wrong: string[] = [];
  for (let index = 1; index <= 300_000; index++) {
    if (lines.firstLine(`CODE${index}`, index) !== undefined) wrong.push(`CODE${index}`);
  }
  for (let index = 1; index <= 300_000; index += 7) {
    if (lines.firstLine(`CODE${index}`, 1_000_000) !== index) wrong.push(`again ${index}`);
  }
  expect(wrong).toEqual([]);
  expect(lines.firstLine("code1", 9)).toBeUndefined();
  expect(lines.firstLine("code1", 10)).toBe(9);
});
