import type { DocsLink } from "@/lib/contract/docs";

const termsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The words of an address: `/docs/guides/app-review.md` is "app review". */
export const queryOf = (path: string): string =>
  termsOf((path.split("/").at(-1) ?? "").replace(/\.\w+$/, "")).join(" ");

const pairsOf = (word: string): string[] => [...word].slice(1).map((second, at) => word[at] + second);

const sorted = (word: string): string => [...word].sort().join("");

/** The likeness of two words: 1 if one begins the other, 0.9 for the same letters, else by shared pairs of letters (Dice). */
function likeness(word: string, other: string): number {
  if (word.length > 2 && (other.startsWith(word) || word.startsWith(other))) return 1;
  if (word.length > 3 && sorted(word) === sorted(other)) return 0.9;
  const [pairs, others] = [pairsOf(word), pairsOf(other)];
  const shared = pairs.filter((pair) => others.includes(pair)).length;
  return (2 * shared) / Math.max(1, pairs.length + others.length);
}

/** A likeness above that of unrelated words and below that of a mistyped word. */
const ALIKE = 0.6;
const SHOWN = 5;

/** The pages whose name or address has words like those of a query, the nearest first. */
export function similarPages(pages: readonly DocsLink[], query: string): DocsLink[] {
  const terms = termsOf(query);
  const closeness = ({ name, href }: DocsLink) => {
    const own = termsOf(`${name} ${href.replace(/^\/docs\//, "")}`);
    const best = terms.map((term) => Math.max(...own.map((other) => likeness(term, other))));
    return best.filter((like) => like >= ALIKE).reduce((sum, like) => sum + like, 0);
  };
  return pages
    .map((page) => ({ page, value: closeness(page) }))
    .filter(({ value }) => value > 0)
    .toSorted((a, b) => b.value - a.value)
    .slice(0, SHOWN)
    .map(({ page }) => page);
}
