import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { KeyField, type KeySource } from "./key-field";
import { KeyReader } from "./sandbox-key";

const create = async () => ({});

const shown = (id: string | undefined, apps: KeySource["apps"]) =>
  renderToStaticMarkup(
    createElement(KeyReader, { id }, createElement(KeyField, { create, ...(apps && { apps }) })),
  );

test("the hint names the store of the key, and a first step only where one is missing", () => {
  expect(shown(undefined, [])).toContain("until you close it. Sign in to create one here.");
  expect(shown("7", [])).toContain("until you sign out. Create a sandbox app in the dashboard first.");
  // While the database is away.
  expect(shown("7", undefined)).toMatch(/until you sign out\.</);
  expect(shown("7", [{ id: "1", name: "Nimbus" }])).toMatch(/Create sandbox key.*until you sign out\.</s);
});
