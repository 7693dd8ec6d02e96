import MiniSearch, { type SearchResult } from "minisearch";
import { type Block, type DocsSection, MAX_RESULTS, SEARCH_OPTIONS } from "@/lib/contract/docs";
import { textOf } from "./inline";
import { docsLibrary, type LibraryPage, readDocs } from "./library";

/** A section that matches a search, with the matching words. */
type SearchHit = DocsSection & { terms: string[] };

let index: Promise<MiniSearch<DocsSection>> | undefined;

async function buildIndex(): Promise<MiniSearch<DocsSection>> {
  const sections = new MiniSearch<DocsSection>(SEARCH_OPTIONS);
  sections.addAll(await docsSections());
  return sections;
}

/** The search of the browser, run here for readers without JavaScript. */
export async function searchDocs(query: string): Promise<SearchHit[]> {
  index ??= buildIndex();
  const results: SearchResult[] = (await index).search(query.slice(0, 200));
  return results.slice(0, MAX_RESULTS).map(toHit);
}

function toHit({ id, page, heading, href, text, terms }: SearchResult): SearchHit {
  return { id, page, heading, href, text, terms };
}

let allSections: Promise<DocsSection[]> | undefined;

/** Every page, split at its headings. */
export function docsSections(): Promise<DocsSection[]> {
  allSections ??= splitAll();
  return allSections;
}

async function splitAll(): Promise<DocsSection[]> {
  const byPage = await Promise.all(docsLibrary().pages.map(splitPage));
  return byPage.flat().map((section, id) => ({ ...section, id }));
}

type Section = Omit<DocsSection, "id">;

async function splitPage(page: LibraryPage): Promise<Section[]> {
  const { title, blocks } = await readDocs(page);
  const sections: Section[] = [{ page: title, heading: title, href: page.href, text: "" }];
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
