import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { DocsGroup, DocsLink, TriedOperation } from "@/lib/contract/docs";
import type { DocsKind } from "@/lib/contract/docs-search";
import { env } from "@/lib/platform/env";
import { referencePages } from "@/lib/web/reference/pages";
import { addressOf } from "./address";
import { CLIENTS, CONTENTS, type Group, REFERENCE } from "./contents";
import { type ParsedPage, parseDocs } from "./parse";

const FOLDER = "docs";
const DECISIONS = "decisions";

export interface LibraryPage extends DocsLink {
  /** Below `docs/`. */
  file: string;
  group: string;
  kind: DocsKind;
  keywords?: string;
  /** The text of a page that is generated and has no file. */
  markdown?: string;
  operation?: TriedOperation;
}

interface Library {
  groups: readonly DocsGroup[];
  /** All pages in reading order, decisions last. */
  pages: readonly LibraryPage[];
  clients: readonly DocsLink[];
}

/** Guides are read from the repository's own files, so they need no build. */
const pathOf = (file: string): string => join(/* turbopackIgnore: true */ process.cwd(), FOLDER, file);

const isDecision = (file: string) => file.startsWith(`${DECISIONS}/`);

function decisions(): LibraryPage[] {
  if (!existsSync(pathOf(DECISIONS))) return [];
  return readdirSync(pathOf(DECISIONS))
    .filter((name) => /^[\w-]+\.md$/.test(name) && name !== "README.md")
    .map((name) => `${DECISIONS}/${name}`)
    .sort()
    .map((file) => ({ file, href: addressOf(file), name: file, group: "Decisions", kind: "decision" }));
}

function pagesOf({ name: group, pages }: Group): LibraryPage[] {
  const guides = pages
    .filter(({ file }) => existsSync(pathOf(file)))
    .map(({ background, ...entry }): LibraryPage => {
      const kind = isDecision(entry.file) ? "decision" : background ? "background" : "guide";
      return { ...entry, href: addressOf(entry.file), group, kind };
    });
  return group === REFERENCE ? [...referenceOf(group), ...guides] : guides;
}

const referenceOf = (group: string): LibraryPage[] =>
  referencePages().map((page) => ({ ...page, href: addressOf(page.file), group, kind: "reference" }));

function buildLibrary(): Library {
  const existing = CONTENTS.map((group) => ({ name: group.name, pages: pagesOf(group) }));
  const groups = existing.filter(({ pages }) => pages.length > 0);
  const clients = existing.find(({ name }) => name === CLIENTS)?.pages ?? [];
  return { groups, pages: [...existing.flatMap(({ pages }) => pages), ...decisions()], clients };
}

let library: Library | undefined;
const parsed = new Map<string, ParsedPage>();

/** Every page of the documentation. Listed once per process; on every call in development, where pages are edited. */
export function docsLibrary(): Library {
  if (env().NODE_ENV === "development") return buildLibrary();
  library ??= buildLibrary();
  return library;
}

/** The Markdown of a page. */
export const readSource = async ({ file, markdown }: LibraryPage): Promise<string> =>
  markdown ?? readFile(pathOf(file), "utf8");

/** A page of the library, parsed. */
export async function readDocs(page: LibraryPage): Promise<ParsedPage> {
  const { file } = page;
  const cached = env().NODE_ENV === "development" ? undefined : parsed.get(file);
  if (cached) return cached;
  const content = parseDocs(file, await readSource(page));
  parsed.set(file, content);
  return content;
}

/** A link with a sentence about it. */
interface DescribedLink extends DocsLink {
  description: string;
}

interface DescribedGroup {
  name: string;
  pages: readonly DescribedLink[];
}

async function describe(page: LibraryPage): Promise<DescribedLink> {
  const { description } = await readDocs(page);
  const sentence = /^.*?[.?!](?=\s|$)/.exec(description)?.[0] ?? description;
  return { href: page.href, name: page.name, description: sentence };
}

/** Every page with its first sentence, by group. */
export async function listDescribedPages(): Promise<DescribedGroup[]> {
  const { groups, pages } = docsLibrary();
  return Promise.all(
    groups.map(async ({ name }) => ({
      name,
      pages: await Promise.all(pages.filter(({ group }) => group === name).map(describe)),
    })),
  );
}
