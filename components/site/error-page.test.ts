import { usePathname } from "next/navigation";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import RootError from "@/app/error";

vi.mock("next/navigation", async (original) => ({ ...(await original()), usePathname: vi.fn() }));

function errorAt(path: string): string {
  vi.mocked(usePathname).mockReturnValue(path);
  return renderToStaticMarkup(createElement(RootError, { error: new Error("broken"), reset: () => {} }));
}

test("an error of the documentation keeps its header with the search, and leads to all pages", () => {
  const shown = errorAt("/docs/quickstart");
  expect(shown).toMatch(/<header.*Search.*<\/header>.*<main.*Try again.*All pages/s);
  expect(shown).toContain('action="/docs/search"');
  const other = errorAt("/sign-in");
  expect(other).toContain("Home page");
  expect(other).not.toContain("All pages");
});
