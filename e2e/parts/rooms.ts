import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright/test";

const ID = /\/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}(?=\/|$)/g;

/** Addresses that are no rooms: files to download. */
const FILE = /\/(export|download)(\/|$)|\.csv$/;

/** A room without the ids in its address, as its folder is called: `/dashboard/apps/[]/keys`. */
const patternOf = (path: string): string => path.replace(ID, "/[]");

/** Every page below `app/dashboard`, by the pattern of its address. */
export function declaredRooms(folder = "app/dashboard", path = "/dashboard"): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "page.tsx") return [path];
    if (!entry.isDirectory()) return [];
    const name = entry.name.startsWith("(") ? "" : `/${entry.name.replace(/^\[.*\]$/, "[]")}`;
    return declaredRooms(join(folder, entry.name), path + name);
  });
}

/** Addresses of rooms that the page at hand links to, without their filters. */
async function linksOf(page: Page): Promise<string[]> {
  const paths = await page
    .locator("a[href]")
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).pathname));
  return paths.filter((path) => path.startsWith("/dashboard") && !FILE.test(path));
}

/**
 * One address of every room that can be reached by following links from `start`: who cannot find a room by clicking
 * does not have it. Menus are opened on the way.
 */
export async function findRooms(page: Page, start: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const waiting = [...start];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (found.has(patternOf(path))) continue;
    const response = await page.goto(path);
    if (response?.status() !== 200) throw new Error(`${path} answered ${response?.status()}`);
    found.set(patternOf(path), path);
    waiting.push(...(await linksOf(page)));
  }
  return found;
}
