import type { Block, DocsSection } from "@/lib/contract/docs";
import { textOf } from "./inline";
import { docsLibrary, readDocs, type Shelved } from "./library";

let kept: Promise<DocsSection[]> | undefined;

/** Every page cut at its headings, for the search. */
export function docsSections(): Promise<DocsSection[]> {
  kept ??= cutAll();
  return kept;
}

async function cutAll(): Promise<DocsSection[]> {
  const cut = await Promise.all(docsLibrary().pages.map(cutPage));
  return cut.flat().map((section, id) => ({ ...section, id }));
}

type Cut = Omit<DocsSection, "id">;

async function cutPage(page: Shelved): Promise<Cut[]> {
  const { title, blocks } = await readDocs(page);
  const sections: Cut[] = [{ page: title, heading: title, href: page.href, text: "" }];
  for (const block of blocks) {
    if (block.kind === "heading") {
      sections.push({ page: title, heading: block.text, href: `${page.href}#${block.id}`, text: "" });
    } else {
      const last = sections.at(-1);
      if (last) last.text = `${last.text} ${plain(block)}`.replace(/\s+/g, " ").trim();
    }
  }
  return sections;
}

function plain(block: Block): string {
  switch (block.kind) {
    case "heading":
    case "paragraph":
      return textOf(block.children);
    case "code":
      return block.text;
    case "list":
      return block.items.flat().map(plain).join(" ");
    case "quote":
      return block.children.map(plain).join(" ");
    case "table":
      return [block.head, ...block.rows].flat().map(textOf).join(" ");
    default:
      return "";
  }
}
