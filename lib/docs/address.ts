import { posix } from "node:path";

/** Made by the service, so there is no file to link to. */
const REFERENCE = "/docs/api";

/** Where the site shows a file of `docs/`: `guides/swift.md` is `/docs/swift`, `decisions/README.md` `/docs/decisions`. */
export function addressOf(file: string): string {
  const path = file
    .replace(/^guides\//, "")
    .replace(/\.md$/, "")
    .replace(/(^|\/)README$/, "");
  return path === "" ? "/docs" : `/docs/${path}`;
}

/**
 * A link of a page as the site needs it. Links between files work in the repository as they are; here they become
 * addresses. Undefined for a file that the site does not show, whose link is then only its text.
 */
export function resolveLink(from: string, href: string): string | undefined {
  if (/^(https?:|mailto:)/.test(href) || href.startsWith("#") || href === REFERENCE) return href;
  const [path = "", anchor] = href.split("#");
  const file = posix.join(posix.dirname(from), path);
  if (file.startsWith("..") || !file.endsWith(".md")) return undefined;
  return anchor === undefined ? addressOf(file) : `${addressOf(file)}#${anchor}`;
}

/** Anchors of one page, made as GitHub makes them: the same heading a second time ends in `-1`. */
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
