import { expect, test } from "vitest";
import { contrast, mix } from "./colour";

test("contrast counts as WCAG does, in either order", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  expect(contrast("#ffffff", "#777777")).toBe(contrast("#777777", "#ffffff"));
});

test("a mixture runs from one colour to the other", () => {
  expect([0, 0.5, 1].map((share) => mix("#102030", "#ffffff", share))).toEqual([
    "#102030",
    "#889098",
    "#ffffff",
  ]);
});
