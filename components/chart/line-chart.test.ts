import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { RecentConfirmed } from "./line-chart";

const drawn = (values: number[]) => renderToStaticMarkup(createElement(RecentConfirmed, { values }));

test("an app has no line before its second day", () => {
  expect(drawn([0, 0, 0])).toBe("");
  expect(drawn([0, 0, 2])).toBe("");
  expect(drawn([0, 1, 2])).toContain("3 confirmed in the last 3 days");
});
