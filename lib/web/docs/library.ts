import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { DocsGroup, DocsLink } from "@/lib/contract/docs";
import { env } from "@/lib/platform/env";
import { addressOf } from "./address";
import { CLIENTS, CONTENTS, type DescribedLink } from "./contents";
import { type ParsedPage, parseDocs } from "./parse";

const FOLDER = "docs";
const DECISIONS = "decisions";

export interface LibraryPage extends DocsLink {
  file: string;
  group: string;
  keywords?: string;
  /** Written for contributors. */
  decision: boolean;
}

interface Library {
  groups: readonly DocsGroup[];
  /** The pages that are files, in reading order, decisions last. */
  pages: readonly LibraryPage[];
  clients: readonly DocsLink[];
}

/** Pages are read from the repository's own files, so they need no build. */
const pathOf = (file: string): string => join(/* turbopackIgnore: true */ process.cwd(), FOLDER, file);

function decisions(): LibraryPage[] {
  if (!existsSync(pathOf(DECISIONS))) return [];
  return readdirSync(pathOf(DECISIONS))
    .filter((name) => /^[\w-]+\.md$/.test(name) && name !== "README.md")
    .map((name) => `${DECISIONS}/${name}`)
    .sort()
    .map((file) => ({ file, href: addressOf(file), name: file, group: "Decisions", decision: true }));
}

const isDecision = (file: string) => file.startsWith(`${DECISIONS}/`);

function pagesOf({ name: group, pages }: (typeof CONTENTS)[number]): LibraryPage[] {
  return pages
    .filter(({ file }) => existsSync(pathOf(file)))
    .map((entry) => ({ ...entry, href: addressOf(entry.file), group, decision: isDecision(entry.file) }));
}

function buildLibrary(): Library {
  const existing = CONTENTS.map((group) => ({ ...group, pages: pagesOf(group) }));
  const groups = existing
    .map(({ name, pages, more = [] }) => ({ name, pages: [...pages, ...more] }))
    .filter(({ pages }) => pages.length > 0);
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

/** A page of the library, parsed. */
export async function readDocs({ file }: Pick<LibraryPage, "file">): Promise<ParsedPage> {
  const cached = env().NODE_ENV === "development" ? undefined : parsed.get(file);
  if (cached) return cached;
  const page = parseDocs(file, await readFile(pathOf(file), "utf8"));
  parsed.set(file, page);
  return page;
}

interface DescribedGroup {
  name: string;
  pages: readonly DescribedLink[];
}

const otherLinks = CONTENTS.flatMap(({ more = [] }) => more);

async function describe(href: string): Promise<string> {
  const page = docsLibrary().pages.find((candidate) => candidate.href === href);
  if (!page) return otherLinks.find((link) => link.href === href)?.description ?? "";
  const { description } = await readDocs(page);
  return /^.*?[.?!](?=\s|$)/.exec(description)?.[0] ?? description;
}

/** Every page with its first sentence, by group. */
export async function listDescribedPages(): Promise<DescribedGroup[]> {
  return Promise.all(
    docsLibrary().groups.map(async ({ name, pages }) => ({
      name,
      pages: await Promise.all(
        pages.map(async (page) => ({
          href: page.href,
          name: page.name,
          description: await describe(page.href),
        })),
      ),
    })),
  );
}
