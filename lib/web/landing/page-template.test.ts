import { randomUUID } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { PageTemplate } from "@/lib/web/landing/page-template";

const MARK = randomUUID();
const OTHER = randomUUID();

const text = fc.string({ unit: "grapheme", maxLength: 400 }).map((part) => part.replaceAll("\0", ""));

test("a gzipped page unzips to the page, whatever its content, its values and their places", () => {
  const value = fc.oneof(
    text,
    fc.uuid(),
    text.map((short) => short.repeat(5)),
  );
  const places = fc.array(fc.tuple(text, fc.constantFrom(MARK, OTHER)), { maxLength: 6 });
  fc.assert(
    fc.property(places, text, fc.array(fc.tuple(value, value), { minLength: 1 }), (places, end, all) => {
      const html = places.flat().join("") + end;
      const page = new PageTemplate(html, { mark: MARK, other: OTHER });
      for (const [mark, other] of all) {
        const filled = places.map(([part, place]) => part + (place === MARK ? mark : other)).join("") + end;
        expect(page.plain({ mark, other }).toString()).toBe(filled);
        expect(gunzipSync(page.gzip({ mark, other })).toString()).toBe(filled);
      }
    }),
  );
});

test("a page without a value is itself, and two ids give two pages from the same parts", () => {
  expect(gunzipSync(new PageTemplate("<p>é</p>").gzip({})).toString()).toBe("<p>é</p>");
  const page = new PageTemplate(`<a href="?${MARK}">`, { mark: MARK });
  const ids = [randomUUID(), randomUUID()];
  expect(ids.map((mark) => gunzipSync(page.gzip({ mark })).toString())).toEqual(
    ids.map((id) => `<a href="?${id}">`),
  );
});

test("a placeholder with characters of a regular expression is found", () => {
  const page = new PageTemplate("<p>a+b/c==</p>", { nonce: "a+b/c==" });
  expect(page.plain({ nonce: "x" }).toString()).toBe("<p>x</p>");
});

test("text that repeats in another part is not sent twice", () => {
  const ids = Array.from({ length: 200 }, () => randomUUID()).join(" ");
  const page = new PageTemplate([ids, ids, ids].join(MARK), { mark: MARK });
  expect(page.gzip({ mark: randomUUID() }).length).toBeLessThan(gzipSync(ids).length * 1.1);
});
