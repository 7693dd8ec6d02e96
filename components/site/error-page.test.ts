import { readdirSync } from "node:fs";
import { usePathname } from "next/navigation";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import DocsError from "@/app/(site)/docs/(pages)/error";
import SettingsError from "@/app/dashboard/apps/[appId]/settings/error";
import RootError from "@/app/error";
import { MissingPage } from "@/components/site/missing-page";

vi.mock("next/navigation", async (original) => ({ ...(await original()), usePathname: vi.fn() }));

function errorAt(path: string): string {
  vi.mocked(usePathname).mockReturnValue(path);
  return renderToStaticMarkup(createElement(RootError, { error: new Error("broken"), retry: () => {} }));
}

test("an error of the documentation leads to all pages, and another one to the home page with a search", () => {
  const shown = renderToStaticMarkup(
    createElement(DocsError, { error: new Error("broken"), retry: () => {} }),
  );
  expect(shown).toMatch(/<main.*Try again.*href="\/docs"[^>]*>All pages/s);
  const other = errorAt("/mailbox");
  expect(other).toMatch(/<header.*<\/header>.*<main.*Try again.*Home page.*action="\/docs\/search"/s);
  expect(other).not.toContain("All pages");
  // One primary button: the best place to go on.
  expect(other.match(/bg-ink/g)).toHaveLength(1);
});

test("a missing page of the dashboard has one primary button: the best place to go on", () => {
  const links = [
    { href: "/dashboard/apps/a", name: "Overview of this app" },
    { href: "/dashboard", name: "Your apps" },
  ];
  const shown = (search?: string) =>
    renderToStaticMarkup(
      MissingPage({ title: "Page not found", links, search, children: "The address may be wrong." }),
    );
  expect(shown("Search").match(/bg-ink/g)).toHaveLength(1);
  expect(shown("Search")).toMatch(/bg-ink[^>]*>Overview of this app.*Your apps.*Search/s);
  // Outside the dashboard the search field has its own primary button.
  expect(shown()).not.toContain("bg-ink");
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
    createElement(SettingsError, { error: new Error("broken"), retry: () => {} }),
  );
  expect(shown).toMatch(/<h2[^>]*>Something went wrong/);
  expect(shown).not.toContain("<h1");
});

test("without a network the page names that, and not the service, as the cause", () => {
  vi.stubGlobal("navigator", { onLine: false });
  const shown = errorAt("/dashboard");
  vi.unstubAllGlobals();
  expect(shown).toMatch(/<h1[^>]*>You are offline<.*Try again/s);
  expect(shown).not.toContain("our side");
  expect(errorAt("/dashboard")).toContain("our side");
});
