import type { Block, DocsPage } from "@/lib/contract/docs";
import { highlight } from "./highlight";
import { docsLibrary, readDocs, type Shelved } from "./library";

const coloured = new Map<string, Promise<Block[]>>();

async function colour(blocks: readonly Block[]): Promise<Block[]> {
  return Promise.all(blocks.map(colourOne));
}

async function colourOne(block: Block): Promise<Block> {
  if (block.kind === "code") return { ...block, lines: await highlight(block.text, block.language) };
  if (block.kind === "quote") return { ...block, children: await colour(block.children) };
  if (block.kind !== "list") return block;
  return { ...block, items: await Promise.all(block.items.map(colour)) };
}

/** Colours are worked out once a page: a grammar costs some 100 ms the first time. */
async function blocksOf(page: Shelved, blocks: readonly Block[]): Promise<Block[]> {
  const known = coloured.get(page.file);
  if (known) return known;
  const made = colour(blocks);
  coloured.set(page.file, made);
  return made;
}

/** The page at an address below `/docs`, ready to be drawn; undefined where there is none. */
export async function openDocsPage(href: string): Promise<DocsPage | undefined> {
  const { pages, clients } = docsLibrary();
  const index = pages.findIndex((page) => page.href === href);
  const shelved = pages[index];
  if (!shelved) return undefined;
  const { title, description, blocks, headings } = await readDocs(shelved);
  return {
    ...{ href, name: shelved.name, group: shelved.group, title, description, headings },
    blocks: await blocksOf(shelved, blocks),
    previous: neighbour(pages[index - 1], shelved),
    next: neighbour(pages[index + 1], shelved),
    siblings: clients.some((client) => client.href === href) ? clients : [],
  };
}

/** Decisions are no chain to be read through: their own list leads to each. */
function neighbour(page: Shelved | undefined, from: Shelved): Shelved | undefined {
  const apart = page?.file.startsWith("decisions/") && page.file !== "decisions/README.md";
  return apart || /^decisions\/(?!README)/.test(from.file) ? undefined : page;
}
