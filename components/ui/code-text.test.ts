import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { CodeName } from "./code-text";
import { LocalTime } from "./time";

test.each([
  ["referral.code_assigned", "referral.<wbr/>code_<wbr/>assigned"],
  ["RENEWAL", "RENEWAL"],
])("the name %s wraps between its words only", (name, html) => {
  expect(renderToStaticMarkup(createElement(CodeName, { name }))).toBe(
    `<span class="font-mono text-note">${html}</span>`,
  );
});

test.each(["day", "minute", "second"] as const)("a time of the shape %s names its zone on hover", (shape) => {
  const at = new Date("2026-12-01T14:05:07.123Z");
  expect(renderToStaticMarkup(createElement(LocalTime, { at, shape }))).toContain(
    'title="1 Dec 2026, 14:05:07 UTC"',
  );
});

test("a time with seconds names its year once the day alone could be taken for a near one, by a wrong clock too", () => {
  const shown = (at: number) =>
    renderToStaticMarkup(createElement(LocalTime, { at: new Date(at), shape: "second" }));
  expect(shown(Date.UTC(2024, 11, 1, 14, 5, 7))).toContain(">1 Dec 2024, 14:05:07 UTC<");
  expect(shown(Date.UTC(2099, 11, 1, 14, 5, 7))).toContain(">1 Dec 2099, 14:05:07 UTC<");
  expect(shown(Date.now())).not.toMatch(/>[^<]*20\d\d/);
});
