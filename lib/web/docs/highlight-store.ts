import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Block, DocsCode, Piece } from "@/lib/contract/docs";
import { env } from "@/lib/platform/env";
import { highlight } from "./highlight";
import { docsLibrary, readDocs } from "./library";

/** Highlighted code by its hash, written by the build: a grammar takes some 100 ms the first time. */
type Store = Record<string, Piece[][]>;

const FILE = ".next/highlighted.json";

/** Stands for the address of the installation, which a build does not know. */
const ADDRESS = "https://metacode.invalid";

const neutral = (text: string) => text.replaceAll(env().APP_URL, ADDRESS);

const keyOf = (language: string, text: string) =>
  createHash("sha256").update(`${language}\0${text}`).digest("base64url").slice(0, 22);

/** All code of these blocks. */
export function codeIn(blocks: readonly Block[]): DocsCode[] {
  return blocks.flatMap((block) => {
    if (block.kind === "code") return [block];
    if (block.kind === "samples") return block.samples;
    if (block.kind === "quote") return codeIn(block.children);
    return block.kind === "list" ? block.items.flatMap(codeIn) : [];
  });
}

/** Writes the highlighted code of every page below `root`, for {@link highlightedCode}. */
export async function writeHighlights(root: string): Promise<void> {
  const store: Store = {};
  // Guides contain literal addresses; the samples of the reference contain this installation's.
  for (const page of docsLibrary().pages)
    for (const { language, text } of codeIn((await readDocs(page)).blocks))
      for (const form of new Set([text, neutral(text)]))
        store[keyOf(language, form)] = await highlight(form, language);
  const file = join(root, FILE);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(store));
}

let stored: Store | undefined;

function readStore(root: string): Store {
  try {
    return JSON.parse(readFileSync(join(/* turbopackIgnore: true */ root, FILE), "utf8"));
  } catch {
    // Without a build, as in development, code is highlighted when it is first read.
    return {};
  }
}

/** The code as highlighted pieces: from the build, or highlighted now if its text has changed since. */
export async function highlightedCode(
  { language, text }: DocsCode,
  root = process.cwd(),
): Promise<Piece[][]> {
  stored ??= readStore(root);
  const asWritten = stored[keyOf(language, text)];
  if (asWritten) return asWritten;
  const lines = stored[keyOf(language, neutral(text))];
  if (!lines) return highlight(text, language);
  const { APP_URL } = env();
  return lines.map((pieces) =>
    pieces.map((piece) => ({ ...piece, text: piece.text.replaceAll(ADDRESS, APP_URL) })),
  );
}
