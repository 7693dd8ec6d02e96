import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { RecentConfirmed } from "./line-chart";

const drawn = (values: number[], empty?: string) =>
  renderToStaticMarkup(createElement(RecentConfirmed, { values, ...(empty && { empty }) }));

test("there is no line on a first day and after days without confirmed referrals, but a dash in a list", () => {
  expect(drawn([0, 0, 0])).toBe("");
  expect(drawn([0, 0, 2])).toBe("");
  expect(drawn([0, 0, 0], "–")).toBe("–");
  expect(drawn([0, 0, 2], "–")).toBe("–");
  expect(drawn([0, 1, 2])).toContain("3 confirmed in the last 3 days");
});
