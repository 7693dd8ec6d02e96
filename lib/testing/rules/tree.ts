import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A file of the project; `path` is relative to its root, with forward slashes. */
export interface SourceFile {
  path: string;
  text: string;
}

const FOLDERS = ["app", "components", "lib", "drizzle", "bench", "e2e", "docs", "deploy", "public", ".ci"];
const TEXT = /\.(tsx?|mjs|sql|css|md|json|ya?ml|sh)$|(^|\/)[A-Za-z.]+$/;
const CODE = /\.(tsx?|mjs)$/;

function read(path: string): SourceFile {
  return { path: path.replaceAll("\\", "/"), text: readFileSync(path, "utf8") };
}

function filesBelow(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}

/** Every text file of the project, found by folder, so that it works without git. */
export function projectFiles(): SourceFile[] {
  const atRoot = readdirSync(".", { withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && !/^(tsconfig\.tsbuildinfo|next-env\.d\.ts|\.env(\.local)?)$/.test(entry.name),
    )
    .map((entry) => entry.name);
  return [...atRoot, ...FOLDERS.flatMap(filesBelow)].filter((path) => TEXT.test(path)).map(read);
}

/** The code that runs in production: no tests, no test support, no commands. */
export function productionCode(files = projectFiles()): SourceFile[] {
  return files.filter(({ path }) => CODE.test(path) && !isTool(path));
}

/** Tests, their helpers and the commands, which may read the environment and import from every layer. */
export function isTool(path: string): boolean {
  return /\.test\.tsx?$|^lib\/(testing|cli)\/|^(bench|e2e)\/|^[^/]+\.config\.\w+$/.test(path);
}
