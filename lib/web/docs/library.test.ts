import { existsSync, readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import type { Block, DocsPage, Inline } from "@/lib/contract/docs";
import { guideFiles } from "@/lib/testing/docs/code-samples";
import { resolveLink } from "./address";
import { CONTENTS } from "./contents";
import { docsLibrary } from "./library";
import { findDocsPage } from "./page";

const pages = new Map<string, DocsPage>();

beforeAll(async () => {
  for (const { href } of docsLibrary().pages) {
    const page = await findDocsPage(href);
    if (page) pages.set(href, page);
  }
});

const listed = CONTENTS.flatMap((group) => group.pages.map(({ file }) => file));

test("every listed page exists, and every guide is listed", () => {
  expect(listed.filter((file) => !existsSync(`docs/${file}`))).toEqual([]);
  expect(guideFiles().filter((file) => !listed.includes(file))).toEqual([]);
  expect(pages.size).toBeGreaterThan(listed.length);
});

test("every page has a title, a first sentence and unique headings", () => {
  for (const [href, { title, description, headings }] of pages) {
    expect(title, href).not.toMatch(/\.md$/);
    expect(description.length, href).toBeGreaterThan(20);
    expect(new Set(headings.map(({ id }) => id)).size, href).toBe(headings.length);
    expect(headings.filter(({ depth }) => depth === 1)).toEqual([]);
  }
});

test("the client guides have the same headings, so that a reader who switches the language stays in place", () => {
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
  const inInline = (children: readonly Inline[]): string[] =>
    children.flatMap((child) => {
      if (!("children" in child)) return [];
      return [...(child.kind === "link" ? [child.href] : []), ...inInline(child.children)];
    });
  return blocks.flatMap((block) => {
    switch (block.kind) {
      case "heading":
      case "paragraph":
        return inInline(block.children);
      case "list":
        return linksOf(block.items.flat());
      case "quote":
        return linksOf(block.children);
      case "table":
        return [block.head, ...block.rows].flat().flatMap(inInline);
      default:
        return [];
    }
  });
}

test("every link within the documentation leads to an existing page and heading", () => {
  const links = [...pages].flatMap(([from, { blocks }]) => linksOf(blocks).map((href) => ({ from, href })));
  const inside = links.filter(({ href }) => /^[/#]/.test(href));
  const dead = inside.filter(({ from, href }) => {
    const [path = "", anchor] = href.split("#");
    const page = pages.get(path === "" ? from : path);
    return !page || (anchor !== undefined && !page.headings.some(({ id }) => id === anchor));
  });
  expect(inside.length).toBeGreaterThan(40);
  expect(dead).toEqual([]);
});

test("guides link to no file that only the repository shows", () => {
  const link = /\]\(([^)\s]+)\)/g;
  const unreachable = guideFiles()
    .filter((file) => file.startsWith("guides/"))
    .flatMap((file) =>
      [...readFileSync(`docs/${file}`, "utf8").matchAll(link)]
        .filter(([, href = ""]) => resolveLink(file, href) === undefined)
        .map(([, href]) => `${file}: ${href}`),
    );
  expect(unreachable).toEqual([]);
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
