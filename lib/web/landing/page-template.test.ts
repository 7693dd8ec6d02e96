import { randomUUID } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { PageTemplate } from "@/lib/web/landing/page-template";

const MARK = randomUUID();

test("a gzipped page unzips to the page, whatever its content and its ids' places", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 400 }).map((part) => part.replaceAll("\0", ""));
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), fc.uuid(), (parts, id) => {
      const page = new PageTemplate(parts.join(MARK), MARK);
      expect(page.text(id)).toBe(parts.join(id));
      expect(gunzipSync(page.gzip(id)).toString()).toBe(page.text(id));
    }),
  );
});

test("a page without an id is itself, and two ids give two pages from the same parts", () => {
  expect(gunzipSync(new PageTemplate("<p>é</p>", MARK).gzip()).toString()).toBe("<p>é</p>");
  const page = new PageTemplate(`<a href="?${MARK}">`, MARK);
  const ids = [randomUUID(), randomUUID()];
  expect(ids.map((id) => gunzipSync(page.gzip(id)).toString())).toEqual(ids.map((id) => `<a href="?${id}">`));
});

test("text that repeats in another part is not sent twice", () => {
  const ids = Array.from({ length: 200 }, () => randomUUID()).join(" ");
  const page = new PageTemplate([ids, ids, ids].join(MARK), MARK);
  expect(page.gzip(randomUUID()).length).toBeLessThan(gzipSync(ids).length * 1.1);
});
