import { posix } from "node:path";

/**
 * The address of a file, whose path is below `docs/`: `guides/swift.md` is `/docs/swift`, `decisions/README.md` is
 * `/docs/decisions`, and `CHANGELOG.md` of the repository is `/docs/changelog`.
 */
export function addressOf(file: string): string {
  const path = file
    .replace(/^\.\.\/CHANGELOG\.md$/, "changelog.md")
    .replace(/^guides\//, "")
    .replace(/\.md$/, "")
    .replace(/(^|\/)README$/, "");
  return path === "" ? "/docs" : `/docs/${path}`;
}

const CHANGELOG = "CHANGELOG.md";

/** The file for a path of the repository, if the site shows it. */
function shownFile(path: string): string | undefined {
  if (path === CHANGELOG) return `../${CHANGELOG}`;
  return path.startsWith("docs/") && path.endsWith(".md") ? path.slice("docs/".length) : undefined;
}

/**
 * The address for a link of a page: links between files, which work in the repository, become addresses of the
 * site. Undefined for a file that the site does not show, whose link becomes plain text.
 */
export function resolveLink(from: string, href: string): string | undefined {
  if (/^(https?:|mailto:)/.test(href) || href.startsWith("#") || href === "/docs/api") return href;
  const [path = "", anchor] = href.split("#");
  const file = shownFile(posix.join("docs", posix.dirname(from), path));
  if (!file) return undefined;
  return anchor === undefined ? addressOf(file) : `${addressOf(file)}#${anchor}`;
}

/** Makes the anchors of one page as GitHub does: a repeated heading ends in `-1`. */
export function anchors(): (text: string) => string {
  const seen = new Map<string, number>();
  return (text) => {
    const plain = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-");
    const count = seen.get(plain) ?? 0;
    seen.set(plain, count + 1);
    return count === 0 ? plain : `${plain}-${count}`;
  };
}
