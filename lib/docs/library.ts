import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { DocsGroup, DocsLink } from "@/lib/contract/docs";
import { env } from "@/lib/env";
import { addressOf } from "./address";
import { CLIENTS, CONTENTS } from "./contents";
import { type Parsed, parseDocs } from "./parse";

const FOLDER = "docs";
const DECISIONS = "decisions";

export interface Shelved extends DocsLink {
  file: string;
  group: string;
}

interface Library {
  groups: readonly DocsGroup[];
  /** Those that are files, in reading order; the decisions last. */
  pages: readonly Shelved[];
  clients: readonly DocsLink[];
}

/** The repository's text lies beside the service, so pages are read from there and need no build. */
const pathOf = (file: string): string => join(/* turbopackIgnore: true */ process.cwd(), FOLDER, file);

function decisions(): Shelved[] {
  if (!existsSync(pathOf(DECISIONS))) return [];
  return readdirSync(pathOf(DECISIONS))
    .filter((name) => /^[\w-]+\.md$/.test(name) && name !== "README.md")
    .map((name) => `${DECISIONS}/${name}`)
    .sort()
    .map((file) => ({ file, href: addressOf(file), name: file, group: "Decisions" }));
}

function shelf({ name: group, pages }: (typeof CONTENTS)[number]): Shelved[] {
  return pages
    .filter(({ file }) => existsSync(pathOf(file)))
    .map(({ file, name }) => ({ file, name, href: addressOf(file), group }));
}

function take(): Library {
  const shelves = CONTENTS.map((group) => ({ ...group, pages: shelf(group) }));
  const groups = shelves
    .map(({ name, pages, more = [] }) => ({ name, pages: [...pages, ...more] }))
    .filter(({ pages }) => pages.length > 0);
  const clients = shelves.find(({ name }) => name === CLIENTS)?.pages ?? [];
  return { groups, pages: [...shelves.flatMap(({ pages }) => pages), ...decisions()], clients };
}

let kept: Library | undefined;
const parsed = new Map<string, Parsed>();

/** Every page there is. Read once; on every call while somebody writes them. */
export function docsLibrary(): Library {
  if (env().NODE_ENV === "development") return take();
  kept ??= take();
  return kept;
}

/** A page of the library, parsed. */
export async function readDocs({ file }: Pick<Shelved, "file">): Promise<Parsed> {
  const known = env().NODE_ENV === "development" ? undefined : parsed.get(file);
  if (known) return known;
  const page = parseDocs(file, await readFile(pathOf(file), "utf8"));
  parsed.set(file, page);
  return page;
}
