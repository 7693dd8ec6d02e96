import { posix } from "node:path";
import type { Block, DocsCode, DocsPage } from "@/lib/contract/docs";
import { Cache } from "@/lib/platform/cache";
import { env } from "@/lib/platform/env";
import { highlightedCode } from "./highlight-store";
import { docsLibrary, type LibraryPage, readDocs } from "./library";

const highlighted = new Cache<Block[]>(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);

async function highlightAll(blocks: readonly Block[]): Promise<Block[]> {
  return Promise.all(blocks.map(highlightBlock));
}

const highlightCode = async (code: DocsCode): Promise<DocsCode> => ({
  ...code,
  lines: await highlightedCode(code),
});

async function highlightBlock(block: Block): Promise<Block> {
  if (block.kind === "code") return highlightCode(block);
  if (block.kind === "samples")
    return { ...block, samples: await Promise.all(block.samples.map(highlightCode)) };
  if (block.kind === "quote") return { ...block, children: await highlightAll(block.children) };
  if (block.kind !== "list") return block;
  return { ...block, items: await Promise.all(block.items.map(highlightAll)) };
}

/** The page at an address below `/docs`, ready to be rendered; undefined when there is none. */
export async function findDocsPage(href: string): Promise<DocsPage | undefined> {
  const { pages, clients } = docsLibrary();
  const index = pages.findIndex((page) => page.href === href);
  const page = pages[index];
  if (!page) return undefined;
  const { title, description, blocks, headings } = await readDocs(page);
  return {
    href,
    name: page.name,
    group: page.group,
    title,
    description,
    headings,
    blocks: await highlighted.get(page.file, () => highlightAll(blocks)),
    previous: neighbour(pages[index - 1], page),
    next: neighbour(pages[index + 1], page),
    siblings: clients.some((client) => client.href === href) ? clients : [],
    markdown: `${href}.md`,
    edit: editAddress(page),
    operation: page.operation,
  };
}

/** The address at which readers can edit a page's file, if the operator has set one. */
function editAddress({ file, markdown }: LibraryPage): string | undefined {
  const base = env().SOURCE_EDIT_URL;
  return base && markdown === undefined ? `${base}/${posix.join("docs", file)}` : undefined;
}

/** Whether a page is a single decision; the list of decisions follows the guides. */
const standsAlone = ({ file, kind }: LibraryPage) => kind === "decision" && file !== "decisions/README.md";

/** Decisions are not read in sequence, so they have no previous or next page; their list links to each. */
function neighbour(page: LibraryPage | undefined, from: LibraryPage): LibraryPage | undefined {
  return page && (standsAlone(page) || standsAlone(from)) ? undefined : page;
}

/** The quickstart's redeem, which a test runs, for pages that show one request. Undefined without the documentation. */
export async function findQuickstartExchange(): Promise<{ request: DocsCode; answer: DocsCode } | undefined> {
  const page = await findDocsPage("/docs/quickstart");
  const codes = page?.blocks.filter((block) => block.kind === "code") ?? [];
  const index = codes.findIndex(({ info }) => info === "answer redeem");
  const [request, answer] = [codes[index - 1], codes[index]];
  return request && answer && { request: onlyCurl(request), answer };
}

/** The code from `curl` onwards, without the lines that fetch the metacode. */
function onlyCurl(code: DocsCode): DocsCode {
  const lines = code.text.split("\n");
  const from = lines.findIndex((line) => line.startsWith("curl"));
  if (from < 0) return code;
  return { ...code, text: lines.slice(from).join("\n"), lines: code.lines?.slice(from) ?? [] };
}
