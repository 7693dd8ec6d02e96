import { afterEach, expect, test, vi } from "vitest";
import type { Piece } from "@/lib/contract/docs";
import { temporaryFolder } from "@/lib/testing/folder";
import { writeHighlights } from "./highlight-store";

const textOf = (lines: Piece[][]) => lines.map((line) => line.map(({ text }) => text).join("")).join("\n");

afterEach(() => {
  vi.doUnmock("./highlight");
  vi.unstubAllEnvs();
  vi.resetModules();
});

test.each(["http://localhost:3000", "https://codes.example.com"])(
  "a build holds the code of every page for %s, and no grammar is loaded to show it",
  async (address) => {
    const root = await temporaryFolder();
    await writeHighlights(root);
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
