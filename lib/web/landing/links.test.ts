import { expect, test } from "vitest";
import { platformOf, storeLinks } from "./links";

const listing = { metacode: "k7m2p9xd", appleAppId: "1234567890", androidPackage: "com.example.app" };

/** Ids that validation refuses, so only a bug could store them. */
const HOSTILE = [
  "javascript:alert(1)",
  "//evil.example",
  "@evil.example",
  "../../evil",
  "1?ct=x#y",
  "apps.apple.com.evil.example",
  "a&referrer=metacode%3Dstolen",
  "\r\nLocation: https://evil.example",
];

test.each(HOSTILE)("%j as an id leads to no host but the stores' and adds nothing", (id) => {
  const links = storeLinks({ metacode: "k7m2p9xd", appleAppId: id, androidPackage: id }, true, "ios", "c1");
  const urls = links.map(({ href }) => new URL(href));
  expect(urls.map(({ origin }) => origin)).toEqual(["https://apps.apple.com", "https://play.google.com"]);
  expect(urls[0]?.pathname).toBe(`/app/id${encodeURIComponent(id)}`);
  expect([urls[0]?.search, urls[0]?.hash]).toEqual(["", ""]);
  expect([...(urls[1]?.searchParams.keys() ?? [])]).toEqual(["id", "referrer"]);
  expect(urls[1]?.searchParams.get("id")).toBe(id);
});

test("the install referrer holds metacode and click after one more decoding", () => {
  const [link] = storeLinks(listing, true, "android", "01a1fbd4-0139-7fe2-a08e-0b1b349ba341");
  const handed = new URL(link?.href ?? "").searchParams.get("referrer") ?? "";
  expect(Object.fromEntries(new URLSearchParams(handed))).toEqual({
    metacode: "k7m2p9xd",
    click_id: "01a1fbd4-0139-7fe2-a08e-0b1b349ba341",
  });
});

test("a closed invitation links to the stores without its metacode", () => {
  for (const { href } of storeLinks(listing, false, undefined, "c1"))
    expect(href).not.toMatch(/k7m2p9xd|c1|referrer/);
});

test.each([
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)", "ios"],
  ["Mozilla/5.0 (Linux; Android 15; Pixel 9)", "android"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", undefined],
  ["", undefined],
])("%s is %s", (userAgent, platform) => {
  expect(platformOf(userAgent)).toBe(platform);
});
