import { watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { migrateFunctions } from "@/lib/platform/db/migrate";

/** Milliseconds within which several writes of a file by an editor count as one change. */
const SETTLE_MS = 50;

/** Creates a changed file's functions in the database. Returns the line to print, even for an invalid file. */
export async function applyFunctionFile(url: string, file: string, root = process.cwd()): Promise<string> {
  const path = join(root, file);
  try {
    const names = await migrateFunctions(url, path);
    return `Applied ${file}: ${names.join(", ")}`;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if ("code" in error && error.code === "ENOENT") {
      return `${file} is gone; its functions stay. Add their names to lib/platform/db/retired-functions.ts.`;
    }
    return `${file}${await lineOf(error, path)}: ${error.message}. The database keeps its functions as they were.`;
  }
}

async function lineOf(error: Error, path: string): Promise<string> {
  const position = error instanceof pg.DatabaseError ? Number(error.position) : Number.NaN;
  if (Number.isNaN(position)) return "";
  const text = await readFile(path, "utf8");
  return `:${text.slice(0, position - 1).split("\n").length}`;
}

/** Applies every SQL function file of `lib` when it is saved, and prints the outcome. */
export function watchFunctions(url: string, say: (line: string) => void): void {
  const pending = new Map<string, NodeJS.Timeout>();
  watch("lib", { recursive: true }, (_, name) => {
    if (!name?.endsWith(".sql")) return;
    const file = join("lib", name);
    clearTimeout(pending.get(file));
    pending.set(
      file,
      setTimeout(() => void applyFunctionFile(url, file).then(say, (error) => say(String(error))), SETTLE_MS),
    );
  });
}
