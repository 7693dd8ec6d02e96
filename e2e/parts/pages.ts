import { readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { APIRequestContext } from "playwright/test";

const ID = /\/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}(?=\/|$)/g;

/** Paths of downloads and of the preview of a landing page, which are no pages of the dashboard. */
const FILE = /\/(export|download)(\/|$)|\/campaigns\/landing$|\.csv$/;

/** The path of a page without its ids, like its folder: `/dashboard/apps/[]/keys`. */
const patternOf = (path: string): string => path.replace(ID, "/[]");

/** Every page below `app/dashboard`, by the pattern of its path. */
export function declaredPages(folder = "app/dashboard", path = "/dashboard"): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "page.tsx") return [path];
    // A folder such as `[...missing]` catches the addresses without a page.
    if (!entry.isDirectory() || entry.name.startsWith("[...")) return [];
    const name = entry.name.startsWith("(") ? "" : `/${entry.name.replace(/^\[.*\]$/, "[]")}`;
    return declaredPages(join(folder, entry.name), path + name);
  });
}

/** Paths of the dashboard pages that a page links to, without their filters. */
function linksOf(html: string): string[] {
  const paths = [...html.matchAll(/<a\s[^>]*?href="([^"?#]+)/g)].map(([, path = ""]) => path);
  return paths.filter((path) => path.startsWith("/dashboard") && !FILE.test(path));
}

/**
 * One path of every page that can be reached by links from `start`. Like a user, the crawl finds no page without a link.
 * It reads pages without rendering them.
 */
export async function crawlPages(
  request: APIRequestContext,
  start: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const waiting = [...start];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (found.has(patternOf(path))) continue;
    const response = await request.get(path);
    if (response.status() !== 200) throw new Error(`${path} answered ${response.status()}`);
    found.set(patternOf(path), path);
    waiting.push(...linksOf(await response.text()));
  }
  return found;
}

interface StoredPages {
  /** One path of each page. */
  paths: string[];
  /** Paths of the same pages in further states, which the crawl does not reach. */
  views: string[];
}

const storeFile = () => join(process.env.E2E_DATA_DIR ?? "", "pages.json");

/** Stores the pages that the set-up found beside the service's data, for the tests of `pages.spec.ts`. */
export async function storePages(paths: string[], views: string[]): Promise<void> {
  await writeFile(storeFile(), JSON.stringify({ paths, views } satisfies StoredPages));
}

/** Reads the pages that {@link storePages} stored. */
export async function storedPages(): Promise<StoredPages> {
  return JSON.parse(await readFile(storeFile(), "utf8")) as StoredPages;
}
