import { expect, test } from "vitest";
import { Seen } from "./seen";

test("tells a repeated text with its first line, and nothing else, among 300,000", () => {
  const seen = new Seen();
  const wrong: string[] = [];
  for (let index = 1; index <= 300_000; index++) {
    if (seen.firstLine(`CODE${index}`, index) !== undefined) wrong.push(`CODE${index}`);
  }
  for (let index = 1; index <= 300_000; index += 7) {
    if (seen.firstLine(`CODE${index}`, 1_000_000) !== index) wrong.push(`again ${index}`);
  }
  expect(wrong).toEqual([]);
  expect(seen.firstLine("code1", 9)).toBeUndefined();
  expect(seen.firstLine("code1", 10)).toBe(9);
});
