import * as matcher from "@formatjs/intl-localematcher";
import { beforeEach, expect, test, vi } from "vitest";
import { chooseLanguage, nearestLanguage } from "@/lib/web/http/choose-language";

/** Counts matches, each of which takes 10 to 140 us and stays in the library's memory. */
vi.mock("@formatjs/intl-localematcher", async (original) => {
  const real = await original<typeof matcher>();
  return { ...real, match: vi.fn(real.match) };
});

const matched = vi.mocked(matcher.match);
beforeEach(() => void matched.mockClear());

const ALPHABET = [..."abcdefghijklmnopqrstuvwxyz"];

/** Every text of two letters, used as regions and variants of tags. */
const PAIRS = ALPHABET.flatMap((first) => ALPHABET.map((second) => first + second));

/** Headers with one tag for each language, none of which was seen before. */
const headersOf = (languages: readonly string[], count: number) =>
  Array.from({ length: count }, (_, n) =>
    languages.map((language, place) => `${language}-${PAIRS[n]}-${PAIRS[place]}${PAIRS[n]}x`).join(","),
  );

test("languages that are near none of ours are matched once each, however many tags they have", () => {
  const languages = ["qaa", "qab", "qac", "qad", "qae", "qaf", "qag", "qah", "qai", "qaj"];
  for (const header of headersOf(languages, 100)) {
    expect(chooseLanguage(header, header.replaceAll("qa", "qb"))).toBe("en");
    expect(nearestLanguage(header)).toBeUndefined();
  }
  expect(matched.mock.calls.map(([[tag]]) => tag).toSorted()).toEqual(
    [...languages, ...languages.map((tag) => tag.replace("qa", "qb"))].toSorted(),
  );
});

test("tags of a near language are matched by its script only, and those of Portuguese by their region too", () => {
  const languages = ["de", "af", "sv", "ca", "ga", "gsw", "lb", "sk", "el", "uk"];
  for (const header of headersOf(languages, 100)) expect(chooseLanguage(header, "fr")).toBe("de");
  for (const region of PAIRS) chooseLanguage(`pt-Latn-${region}-abcde`, null);
  const tags = new Set(matched.mock.calls.map(([[tag]]) => tag));
  expect(matched.mock.calls).toHaveLength(tags.size);
  expect([...tags].filter((tag) => !tag?.startsWith("pt")).length).toBeLessThanOrEqual(2 * languages.length);
  expect([...tags].filter((tag) => tag?.startsWith("pt")).length).toBeLessThanOrEqual(1 + PAIRS.length);
});

test("texts that name no language are not matched", () => {
  for (const text of ["abcd", "abcdefgh-DE", "a", "12", "und", "und-x-abc", "*", "i-klingon", "de.utf8"]) {
    expect(chooseLanguage(text, `${text};q=0.5`)).toBe("en");
  }
  expect(matched).not.toHaveBeenCalled();
});
