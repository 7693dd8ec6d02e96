import { expect, test } from "vitest";
import { displayName } from "./display-name";

test.each([
  [{ name: "Ann" }, "Ann"],
  [{ display_name: "Ann" }, "Ann"],
  [{ name: " ", display_name: "Ann" }, "Ann"],
  [{ name: 7 }, undefined],
  [{}, undefined],
  [{ name: "Ann\u202e\nBob\u0000" }, "Ann Bob"],
  [{ name: "👩‍👩‍👧" }, "👩‍👩‍👧"],
  [
    { name: "Eve \u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}" },
    "Eve \u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
  ],
  [
    { name: `Eve\u{e0067}\u{e007f} \u{1f3f4}${"\u{e0061}".repeat(9)}` },
    `Eve \u{1f3f4}${"\u{e0061}".repeat(6)}`,
  ],
])("%j is seen as %j", (metadata, expected) => {
  expect(displayName(metadata)).toBe(expected);
});

test("at most 80 code points, never half a code point", () => {
  expect(displayName({ name: "😀".repeat(100) })).toBe("😀".repeat(80));
});
