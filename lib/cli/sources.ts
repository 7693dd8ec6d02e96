import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** What a build is made of; a change of anything else needs no new one. */
const FOLDERS = ["app", "components", "lib", "public", "drizzle"];
const FILES = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "next.config.mjs",
  "postcss.config.mjs",
  "instrumentation.ts",
  "proxy.ts",
];
const NOT_BUILT = /\.test\.tsx?$|^lib\/testing\//;

async function listFiles(root: string): Promise<string[]> {
  const found = await Promise.all(
    FOLDERS.map(async (folder) => {
      const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(
        () => [],
      );
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
    }),
  );
  return [...found.flat(), ...FILES].filter((file) => !NOT_BUILT.test(file)).sort();
}

/** SHA-256 over names and contents of everything a build depends on, and over the Node that made it. */
export async function sourceHash(root: string): Promise<string> {
  const files = await listFiles(root);
  const contents = await Promise.all(files.map((file) => readFile(join(root, file)).catch(() => "missing")));
  const hash = createHash("sha256").update(process.version);
  for (const [index, file] of files.entries()) hash.update(`\0${file}\0`).update(contents[index] ?? "");
  return hash.digest("hex");
}
