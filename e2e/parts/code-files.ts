import { readFileSync } from "node:fs";
import { expect, type Page } from "playwright/test";
import { sample } from "@/e2e/sample";

export const codesPath = () => `/dashboard/apps/${sample().app_id}/codes`;
export const poolOf = (use: "referee_ios" | "referee_android") => sample().pools[use];

/** A file with the layout of a fixture and codes that no other run has. */
export function fileLike(name: string): { name: string; mimeType: string; buffer: Buffer; codes: string[] } {
  const salt = Math.random().toString(36).slice(2, 8).toUpperCase();
  const text = readFileSync(`lib/program/codes/fixtures/${name}`, "utf8").replace(
    /\b[A-Z0-9]{12}(?:[A-Z0-9]{6}(?:[A-Z0-9]{5})?)?\b/g,
    (code) => salt + code.slice(6),
  );
  const codes = [...new Set(text.match(new RegExp(`\\b${salt}[A-Z0-9]+`, "g")))];
  return { name, mimeType: "text/csv", buffer: Buffer.from(text), codes };
}

/** A file of `rows` codes, one per line, about 20 bytes each. */
export function largeFile(rows: number) {
  const salt = Math.random().toString(36).slice(2, 8).toUpperCase();
  const lines = Array.from({ length: rows }, (_, index) => `${salt}${String(index).padStart(12, "0")}\n`);
  return { name: `${salt}.csv`, mimeType: "text/csv", buffer: Buffer.from(lines.join("")) };
}

type CodeFile = Pick<ReturnType<typeof fileLike>, "name" | "mimeType" | "buffer">;

/** Chooses a file, which is checked at once. */
export async function checkFile(page: Page, pool: string, file: CodeFile): Promise<void> {
  await page.goto(`${codesPath()}/import?pool=${pool}`);
  await expect(page.locator("input[type=file]")).toBeEnabled();
  await page.locator("input[type=file]").setInputFiles(file);
}

/** A number of the dry run's report. */
export const countOf = (page: Page, name: string) =>
  page.locator("dl > div").filter({ hasText: name }).locator("dd").first();
