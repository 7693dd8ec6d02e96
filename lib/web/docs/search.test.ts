import { gzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { excerptOf, markWords } from "@/lib/contract/docs-search";
import { docsSections, searchDocs } from "./search";

test.each([
  ["offline retries", "Offline and retries"],
  ["anonymous ids", "Why anonymous ids lose referrals"],
  ["restore dril", "The restore drill"],
  ["anonimous", "Why anonymous ids lose referrals"],
])("a search for %s finds %s", async (query, heading) => {
  const found = await searchDocs(query);
  expect(found.map(({ section }) => section.heading)).toContain(heading);
});

test("a plural is found by its singular, and marked in both forms", async () => {
  const [first] = await searchDocs("offline retry");
  expect(first?.section.heading).toBe("Offline and retries");
  expect(markWords("Offline and retries", first?.terms ?? []).filter(({ hit }) => hit)).toHaveLength(2);
});

test("nonsense finds nothing, and long or hostile queries do no harm", async () => {
  expect(await searchDocs("qqqqzzzz")).toEqual([]);
  expect(await searchDocs("")).toEqual([]);
  expect((await searchDocs(`${"a".repeat(5_000)} (.*)+ [`)).length).toBeLessThan(13);
});

test("terms are marked where a word begins, and only as text", () => {
  const hits = (text: string, terms: string[]) =>
    markWords(text, terms)
      .filter(({ hit }) => hit)
      .map((part) => part.text);
  expect(hits("A key, keys and monkey", ["key"])).toEqual(["key", "key"]);
  expect(hits("c++ (a)", ["c++", "(a"])).toEqual(["c++", "(a"]);
  expect(markWords("plain", [])).toEqual([{ text: "plain", hit: false }]);
});

test("an excerpt begins before the first term and is cut at blanks", () => {
  const long = `${"before ".repeat(30)}needle ${"after ".repeat(60)}`.trim();
  const text = excerptOf(long, ["needle"])
    .map((part) => part.text)
    .join("");
  expect(text).toMatch(/^… before .*needle after .* …$/);
  expect(text.length).toBeLessThan(180);
  expect(excerptOf("short", ["nothing"])).toEqual([{ text: "short", hit: false }]);
});

test("the index is small enough for a phone", async () => {
  const index = gzipSync(JSON.stringify(await docsSections()));
  expect(index.length).toBeGreaterThan(10_000);
  expect(index.length).toBeLessThan(128 * 1024);
});

test("a page that could not be read once is read again by the next search", async () => {
  vi.resetModules();
  const fresh = await import("./search");
  // The list of pages was read before.
  (await import("./library")).docsLibrary();
  const folder = vi.spyOn(process, "cwd").mockReturnValue("/nowhere");
  await expect(fresh.searchDocs("offline retry")).rejects.toThrow("ENOENT");
  folder.mockRestore();
  expect(await fresh.searchDocs("offline retry")).not.toEqual([]);
});
