import MiniSearch from "minisearch";
import type { Block } from "@/lib/contract/docs";
import {
  type DocsHit,
  type DocsIndex,
  type DocsSection,
  INDEX_OPTIONS,
  searchSections,
} from "@/lib/contract/docs-search";
import { Cache } from "@/lib/platform/cache";
import { textOf } from "./inline";
import { docsLibrary, type LibraryPage, readDocs } from "./library";

/** Characters of a code block that are indexed. A longer block is the source of a whole client, named in its first lines. */
const INDEXED_CODE = 80;

const indexes = new Cache<DocsIndex>(Number.POSITIVE_INFINITY, 1);

async function buildIndex(): Promise<DocsIndex> {
  const index = new MiniSearch<DocsSection>(INDEX_OPTIONS);
  index.addAll(await docsSections());
  return index;
}

/** Runs the browser's search on the server, for readers without JavaScript. */
export async function searchDocs(query: string, { decisions = false } = {}): Promise<DocsHit[]> {
  return searchSections(await indexes.get("", buildIndex), query, decisions);
}

const sections = new Cache<DocsSection[]>(Number.POSITIVE_INFINITY, 1);

/** Every page, split at its headings. */
export const docsSections = (): Promise<DocsSection[]> => sections.get("", splitAll);

async function splitAll(): Promise<DocsSection[]> {
  const byPage = await Promise.all(docsLibrary().pages.map(splitPage));
  return byPage.flat().map((section, id) => ({ ...section, id }));
}

type Section = Omit<DocsSection, "id">;

async function splitPage(page: LibraryPage): Promise<Section[]> {
  const { title, blocks } = await readDocs(page);
  const { href, kind, keywords } = page;
  const common = { kind, page: title };
  const first = { ...common, heading: title, href, text: "", ...(keywords && { keywords }) };
  const sections: Section[] = [first];
  for (const block of blocks) {
    if (block.kind === "heading") {
      sections.push({ ...common, heading: block.text, href: `${href}#${block.id}`, text: "" });
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
      return block.text.slice(0, INDEXED_CODE);
    case "list":
      return block.items.flat().map(plain).join(" ");
    case "quote":
      return block.children.map(plain).join(" ");
    case "table":
      // Leaves out measurements, which readers do not search for.
      return [block.head, ...block.rows]
        .flat()
        .map(textOf)
        .filter((cell) => /[a-z]/i.test(cell.replace(/\d (to|and) \d/g, "")))
        .join(" ");
    default:
      return "";
  }
}
