import { isUuid } from "@/lib/contract/uuid";

const MAX_PART = 40;

/** Words of our own addresses: `referrer`, `referee-redeem`, `deliveries`. */
const WORD = /^[a-z]+(-[a-z]+)*$/;

/**
 * A request's path as the log may keep it. What stands where an id belongs and is none could be anything, a key
 * pasted there included, and becomes `…`.
 */
export function storablePath(path: string): string {
  const parts = path.split("/").slice(0, 6);
  return parts.map((part) => (part === "" || isKnown(part) ? part : "…")).join("/");
}

function isKnown(part: string): boolean {
  return isUuid(part) || (part.length <= MAX_PART && WORD.test(part));
}
