import { readdirSync } from "node:fs";
import { usePathname } from "next/navigation";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import SettingsError from "@/app/dashboard/apps/[appId]/settings/error";
import RootError from "@/app/error";

vi.mock("next/navigation", async (original) => ({ ...(await original()), usePathname: vi.fn() }));

function errorAt(path: string): string {
  vi.mocked(usePathname).mockReturnValue(path);
  return renderToStaticMarkup(createElement(RootError, { error: new Error("broken"), reset: () => {} }));
}

test("an error of the documentation keeps its header with the search, and leads to all pages", () => {
  const shown = errorAt("/docs/quickstart");
  expect(shown).toMatch(/<header.*Search.*<\/header>.*<main.*Try again.*All pages/s);
  expect(shown).not.toContain('action="/docs/search"');
  const other = errorAt("/mailbox");
  expect(other).toContain("Home page");
  expect(other).not.toContain("All pages");
});

test("an error of a page before the dashboard keeps its column below the logo", () => {
  const pages = readdirSync("app/(auth)", { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(pages.length).toBeGreaterThan(4);
  for (const { name } of pages) {
    const shown = errorAt(`/${name}/x`);
    expect(shown).toMatch(/^<main.*aria-label="Metacode".*<h1.*Try again.*Home page/s);
    expect(shown).not.toMatch(/<header|<main.*<main/s);
  }
});

test("an error below the title of a section adds no second title", () => {
  vi.mocked(usePathname).mockReturnValue("/dashboard/apps/x/settings");
  const shown = renderToStaticMarkup(
    createElement(SettingsError, { error: new Error("broken"), reset: () => {} }),
  );
  expect(shown).toMatch(/<h2[^>]*>Something went wrong/);
  expect(shown).not.toContain("<h1");
});
