import type { SourceFile } from "./tree";

const PAGE = /^docs\/decisions\/([\w-]+\.md)$/;

/** The decisions that their own list, `README.md` beside them, does not lead to. */
export function unlistedDecisions(files: SourceFile[]): string[] {
  const names = files.flatMap(({ path }) => PAGE.exec(path)?.[1] ?? []);
  const list = files.find(({ path }) => path === "docs/decisions/README.md")?.text ?? "";
  return names.filter((name) => name !== "README.md" && !list.includes(`](${name})`));
}
