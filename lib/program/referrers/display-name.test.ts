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
])("%j is seen as %j", (metadata, expected) => {
  expect(displayName(metadata)).toBe(expected);
});

test("at most 80 code points, never half a code point", () => {
  expect(displayName({ name: "😀".repeat(100) })).toBe("😀".repeat(80));
});
