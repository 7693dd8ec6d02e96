import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { Platform } from "@/lib/contract/fields";
import { Sentence } from "./sentence";

const noteOf = (...on: Platform[]) =>
  renderToStaticMarkup(
    createElement(Sentence, {
      terms: { threshold: { ios: "3", android: "5" }, confirmOn: "paid" },
      onTerms: () => {},
      on,
      state: {},
    }),
  );

test("the number of further friends is that of the platform on the screen", () => {
  expect(noteOf("android")).toContain("Every further 5 earn another.");
  expect(noteOf("ios")).toContain("Every further 3 earn another.");
});
