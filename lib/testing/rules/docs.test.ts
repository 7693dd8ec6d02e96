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

test.each([
  ["A redeem", 8, "is eight files"],
  ["A confirmation", 16, ": 16 files"],
])("the architecture counts the files of its path: %s", (title, count, claim) => {
  const page = projectFiles().find(({ path }) => path === "docs/architecture.md")?.text ?? "";
  const section = page.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? "";
  const links = section.slice(section.indexOf("\n1. ")).match(/\]\([^)]+\)/g) ?? [];
  expect(new Set(links).size).toBe(count);
  expect(section.replace(/\s+/g, " ")).toContain(claim);
});

test("a planted link to nowhere is found", () => {
  const text = "[a](../lib/a.ts) [b](../lib/gone.ts) [site](https://example.com/x.ts) [here](#here)";
  const planted = [
    { path: "docs/x.md", text },
    { path: "lib/a.ts", text: "" },
  ];
  expect(brokenLinks(planted)).toEqual(["docs/x.md: lib/gone.ts"]);
});
