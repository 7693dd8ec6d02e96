import { randomUUID } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Pieces } from "@/lib/landing/pieces";

const MARK = randomUUID();

test("a page in gzip is the page, whatever is in it and wherever the ids are", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 400 }).map((part) => part.replaceAll("\0", ""));
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), fc.uuid(), (parts, id) => {
      const page = new Pieces(parts.join(MARK), MARK);
      expect(page.text(id)).toBe(parts.join(id));
      expect(gunzipSync(page.gzip(id)).toString()).toBe(page.text(id));
    }),
  );
});

test("a page without an id is itself, and two ids give two pages out of the same pieces", () => {
  expect(gunzipSync(new Pieces("<p>é</p>", MARK).gzip()).toString()).toBe("<p>é</p>");
  const page = new Pieces(`<a href="?${MARK}">`, MARK);
  const ids = [randomUUID(), randomUUID()];
  expect(ids.map((id) => gunzipSync(page.gzip(id)).toString())).toEqual(ids.map((id) => `<a href="?${id}">`));
});

test("what repeats in another piece is not sent twice", () => {
  const words = Array.from({ length: 200 }, () => randomUUID()).join(" ");
  const page = new Pieces([words, words, words].join(MARK), MARK);
  expect(page.gzip(randomUUID()).length).toBeLessThan(gzipSync(words).length * 1.1);
});
