import type { IdentityLink } from "@/lib/providers/adapter";

/** More ids than any one person has; a longer list is a mistake or an attack. */
const MAX_IDS = 50;

/** Every text of a list that is not empty, once. */
export const texts = (list: unknown): string[] => [
  ...new Set((Array.isArray(list) ? list : [list]).filter((one) => typeof one === "string" && one !== "")),
];

/** As few links as hold all of these ids together: each old id to the first new one, and the first old id to the others. */
export function linksBetween(from: string[], to: string[]): IdentityLink[] {
  const [oldest, newest] = [from[0], to[0]];
  if (oldest === undefined || newest === undefined) return [];
  const links = [
    ...from.slice(0, MAX_IDS).map((id) => ({ from: id, to: newest })),
    ...to.slice(1, MAX_IDS).map((id) => ({ from: oldest, to: id })),
  ];
  return links.filter((link) => link.from !== link.to);
}
