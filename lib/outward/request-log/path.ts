import { isUuid } from "@/lib/contract/fields";

const MAX_PART = 40;

/** Parts of our own addresses: `referrer`, `referee-redeem`, `deliveries`. */
const WORD = /^[a-z]+(-[a-z]+)*$/;

/** A request's path as the log may store it. A part that is neither ours nor an id may be a pasted key: it becomes `…`. */
export function storablePath(path: string): string {
  const parts = path.split("/").slice(0, 6);
  return parts.map((part) => (part === "" || isKnown(part) ? part : "…")).join("/");
}

function isKnown(part: string): boolean {
  return isUuid(part) || (part.length <= MAX_PART && WORD.test(part));
}
