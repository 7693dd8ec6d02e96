import { expect, test } from "vitest";
import { unlistedDecisions } from "./docs";
import { projectFiles } from "./tree";

test("the list of decisions leads to every page", () => {
  const file = (path: string, text = "") => ({ path: `docs/decisions/${path}`, text });
  expect(unlistedDecisions([file("README.md", "[A](a.md)"), file("a.md"), file("b.md")])).toEqual(["b.md"]);
  expect(unlistedDecisions(projectFiles())).toEqual([]);
});
