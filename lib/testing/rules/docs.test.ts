import { expect, test } from "vitest";
import { brokenLinks, unlistedDecisions } from "./docs";
import { projectFiles } from "./tree";

test("the list of decisions leads to every page", () => {
  const file = (path: string, text = "") => ({ path: `docs/decisions/${path}`, text });
  expect(unlistedDecisions([file("README.md", "[A](a.md)"), file("a.md"), file("b.md")])).toEqual(["b.md"]);
  expect(unlistedDecisions(projectFiles())).toEqual([]);
});

test("every link of a document to a file of the project leads there", () => {
  const files = projectFiles();
  expect(files.find(({ path }) => path === "docs/architecture.md")?.text).toContain("redeem_metacode.sql");
  expect(brokenLinks(files)).toEqual([]);
});

test("a planted link to nowhere is found", () => {
  const text = "[a](../lib/a.ts) [b](../lib/gone.ts) [site](https://example.com/x.ts) [here](#here)";
  const planted = [
    { path: "docs/x.md", text },
    { path: "lib/a.ts", text: "" },
  ];
  expect(brokenLinks(planted)).toEqual(["docs/x.md: lib/gone.ts"]);
});
