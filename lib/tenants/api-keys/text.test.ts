import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import { generateKeyText, isKeyText } from "./text";

describe("a key's text", () => {
  test("names its kind and has 38 base62 characters", () => {
    expect(generateKeyText(false)).toMatch(/^mc_live_[0-9A-Za-z]{38}$/);
    expect(generateKeyText(true)).toMatch(/^mc_test_[0-9A-Za-z]{38}$/);
    expect(new Set(Array.from({ length: 500 }, () => generateKeyText(false))).size).toBe(500);
  });

  test("uses every character of its alphabet alike", () => {
    const counts = new Map<string, number>();
    for (let made = 0; made < 600; made++) {
      for (const character of generateKeyText(false).slice(8, 40))
        counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    // 19,200 characters, 310 of each on average: the odds of a deviation beyond six sigma are below one in 10
    // million.
    expect(counts.size).toBe(62);
    for (const count of counts.values()) expect(Math.abs(count - 310)).toBeLessThan(6 * 17.5);
  });

  test("ends in its CRC-32 in base62", () => {
    const key = generateKeyText(true);
    const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const check = [...key.slice(-6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
    expect(check).toBe(crc32(key.slice(0, -6)));
  });

  test("with any single character changed is not taken for a key", () => {
    const key = generateKeyText(false);
    expect(isKeyText(key)).toBe(true);
    for (let at = 0; at < key.length; at++) {
      const other = key[at] === "a" ? "b" : "a";
      expect(isKeyText(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
    }
  });

  test.each(["", " ", "mc_live_", "mc_prod_x", "null", "x".repeat(10_000)])("%j is not a key", (text) => {
    expect(isKeyText(text)).toBe(false);
    expect(isKeyText(generateKeyText(false) + text.slice(0, 5))).toBe(text === "");
  });
});
