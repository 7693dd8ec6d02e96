import { posix } from "node:path";
import type { SourceFile } from "./tree";

const PAGE = /^docs\/decisions\/([\w-]+\.md)$/;

/** The decisions that are missing from their list, the `README.md` beside them. */
export function unlistedDecisions(files: SourceFile[]): string[] {
  const names = files.flatMap(({ path }) => PAGE.exec(path)?.[1] ?? []);
  const list = files.find(({ path }) => path === "docs/decisions/README.md")?.text ?? "";
  return names.filter((name) => name !== "README.md" && !list.includes(`](${name})`));
}

/** Text files, which `projectFiles` reads; the documentation's own tests check images. */
const TRACKED = /\.(tsx?|mjs|sql|md|json)$/;
const LINK = /\]\((?!https?:|#|mailto:)([^)#\s]+)/g;

/** `page: target` for every relative link of a document to a missing file or folder. */
export function brokenLinks(files: SourceFile[]): string[] {
  const paths = new Set(files.map(({ path }) => path));
  const leads = (target: string) =>
    paths.has(target) || files.some(({ path }) => path.startsWith(`${target}/`));
  return files
    .filter(({ path }) => path.endsWith(".md"))
    .flatMap(({ path, text }) =>
      [...text.matchAll(LINK)]
        .map(([, link = ""]) => posix.join(posix.dirname(path), decodeURIComponent(link)))
        .filter((target) => TRACKED.test(target) && !leads(target))
        .map((target) => `${path}: ${target}`),
    );
}
