import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import type { Piece } from "@/lib/contract/docs";
import { writeHighlights } from "./highlight-store";

const textOf = (lines: Piece[][]) => lines.map((line) => line.map(({ text }) => text).join("")).join("\n");

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "metacode-highlights-"));
  await writeHighlights(root);
  return () => rm(root, { recursive: true });
});

afterEach(() => {
  vi.doUnmock("./highlight");
  vi.doUnmock("./parse");
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.resetModules();
});

test.each(["http://localhost:3000", "https://codes.example.com"])(
  "a build holds the code of every page for %s, and no grammar is loaded to show it",
  async (address) => {
    vi.resetModules();
    vi.stubEnv("APP_URL", address);
    vi.doMock("./highlight", () => ({ highlight: () => expect.unreachable("a grammar was loaded") }));
    const { codeIn, highlightedCode } = await import("./highlight-store");
    const { docsLibrary, readDocs } = await import("./library");
    const pages = await Promise.all(docsLibrary().pages.map(readDocs));
    const code = pages.flatMap(({ blocks }) => codeIn(blocks));
    expect(code.filter(({ text }) => text.includes(`${address}/api/referee-redeem`)).length).toBe(6);
    for (const block of code) expect(textOf(await highlightedCode(block, root))).toBe(block.text);
  },
);

test("a built installation shows every page without a grammar, and parses its Markdown once per process", async () => {
  for (const part of ["docs", "CHANGELOG.md"]) await symlink(join(process.cwd(), part), join(root, part));
  vi.resetModules();
  vi.spyOn(process, "cwd").mockReturnValue(root);
  vi.doMock("./highlight", () => ({ highlight: () => expect.unreachable("a grammar was loaded") }));
  const { parseDocs } = await vi.importActual<typeof import("./parse")>("./parse");
  const parse = vi.fn(parseDocs);
  vi.doMock("./parse", () => ({ parseDocs: parse }));
  const { docsLibrary } = await import("./library");
  const { findDocsPage } = await import("./page");
  const { pages } = docsLibrary();
  for (const { href } of [...pages, ...pages]) expect(await findDocsPage(href)).toBeDefined();
  expect(pages.length).toBeGreaterThan(60);
  expect(parse).toHaveBeenCalledTimes(pages.length);
});
