import { existsSync, readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import type { Block, DocsPage, Inline } from "@/lib/contract/docs";
import { guideFiles } from "@/lib/testing/samples";
import { resolveLink } from "./address";
import { CONTENTS } from "./contents";
import { docsLibrary } from "./library";
import { openDocsPage } from "./open-page";

const pages = new Map<string, DocsPage>();

beforeAll(async () => {
  for (const { href } of docsLibrary().pages) {
    const page = await openDocsPage(href);
    if (page) pages.set(href, page);
  }
});

const listed = CONTENTS.flatMap((group) => group.pages.map(({ file }) => file));

test("every page of the list is there, and every guide is in the list", () => {
  expect(listed.filter((file) => !existsSync(`docs/${file}`))).toEqual([]);
  expect(guideFiles().filter((file) => !listed.includes(file))).toEqual([]);
  expect(pages.size).toBeGreaterThan(listed.length);
});

test("every page has a title, a first sentence, and headings of their own", () => {
  for (const [href, { title, description, headings }] of pages) {
    expect(title, href).not.toMatch(/\.md$/);
    expect(description.length, href).toBeGreaterThan(20);
    expect(new Set(headings.map(({ id }) => id)).size, href).toBe(headings.length);
    expect(headings.filter(({ depth }) => depth === 1)).toEqual([]);
  }
});

test("the guides of the clients have the same parts, so that whoever changes the language stays where they are", () => {
  const partsOf = (href: string) =>
    pages
      .get(href)
      ?.headings.filter(({ depth }) => depth === 2)
      .map(({ text }) => text);
  const [first, ...others] = docsLibrary().clients;
  expect(others).toHaveLength(5);
  for (const { href } of others) expect(partsOf(href), href).toEqual(partsOf(first?.href ?? ""));
});

function linksOf(blocks: readonly Block[]): string[] {
  const inWords = (words: readonly Inline[]): string[] =>
    words.flatMap((one) => {
      if (!("children" in one)) return [];
      return [...(one.kind === "link" ? [one.href] : []), ...inWords(one.children)];
    });
  return blocks.flatMap((block) => {
    switch (block.kind) {
      case "heading":
      case "paragraph":
        return inWords(block.children);
      case "list":
        return linksOf(block.items.flat());
      case "quote":
        return linksOf(block.children);
      case "table":
        return [block.head, ...block.rows].flat().flatMap(inWords);
      default:
        return [];
    }
  });
}

test("every link inside the documentation leads to a page and a part that are there", () => {
  const links = [...pages].flatMap(([from, { blocks }]) => linksOf(blocks).map((href) => ({ from, href })));
  const made = CONTENTS.flatMap(({ more = [] }) => more.map(({ href }) => href));
  const inside = links.filter(({ href }) => /^[/#]/.test(href) && !made.includes(href));
  const dead = inside.filter(({ from, href }) => {
    const [path = "", anchor] = href.split("#");
    const page = pages.get(path === "" ? from : path);
    return !page || (anchor !== undefined && !page.headings.some(({ id }) => id === anchor));
  });
  expect(inside.length).toBeGreaterThan(40);
  expect(dead).toEqual([]);
});

test("guides link to nothing that only the repository shows", () => {
  const link = /\]\(([^)\s]+)\)/g;
  const outside = guideFiles()
    .filter((file) => file.startsWith("guides/"))
    .flatMap((file) =>
      [...readFileSync(`docs/${file}`, "utf8").matchAll(link)]
        .filter(([, href = ""]) => resolveLink(file, href) === undefined)
        .map(([, href]) => `${file}: ${href}`),
    );
  expect(outside).toEqual([]);
});

test.each([
  ["guides/a.md", "b.md", "/docs/b"],
  ["guides/a.md", "../providers.md#answers", "/docs/providers#answers"],
  ["decisions/README.md", "driver.md", "/docs/decisions/driver"],
  ["guides/a.md", "../decisions/README.md", "/docs/decisions"],
  ["guides/a.md", "../../lib/env.ts", undefined],
  ["guides/a.md", "javascript:alert(1)", undefined],
  ["guides/a.md", "https://example.com/x.md", "https://example.com/x.md"],
])("in %s the link %s leads to %s", (file, href, address) => {
  expect(resolveLink(file, href)).toBe(address);
});
