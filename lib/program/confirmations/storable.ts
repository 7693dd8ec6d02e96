import { createHash } from "node:crypto";
import { MAX_UID } from "@/lib/contract/fields";

/** Deeper values are dropped: PostgreSQL parses nested `jsonb` on its stack and refuses deep nesting. */
const MAX_DEPTH = 64;
const MAX_UIDS = 50;
const MAX_EVENT_ID = 255;
const MAX_TYPE = 100;

/** Text that PostgreSQL can hold: without NUL and without lone surrogates. */
function storableText(text: string): string {
  return text.replaceAll("\0", "\u{FFFD}").toWellFormed();
}

/** Parsed JSON that `jsonb` can hold. Unstorable parts are replaced, not refused: the event must not be lost. */
export function storableJson(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return storableText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => storableJson(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [storableText(key), storableJson(item, depth + 1)]),
  );
}

/** The event's id, or its hash if the id is too long for an index entry (2,700 bytes) or not storable. */
export function storableEventId(id: string): string {
  if (id.length <= MAX_EVENT_ID && storableText(id) === id) return id;
  // Escaped as JSON, so that two ids which differ only in a lone surrogate stay distinct.
  return `sha256:${createHash("sha256").update(JSON.stringify(id)).digest("hex")}`;
}

/** The event's type as storable text, cut after 100 characters. */
export function storableType(type: string): string {
  return storableText(type).slice(0, MAX_TYPE).toWellFormed();
}

/** The providers' own ids for people whom the app has not identified to them. */
export const ANONYMOUS = /^(\$RCAnonymousID:|\$SuperwallAlias:|QON_|a:[0-9a-f]{8}-)/;

/** Whether the API accepts this referee id: 1 to 255 code points without NUL or lone surrogates. */
export function isStorableUid(uid: string): boolean {
  if (uid === "" || uid.length > MAX_UID * 2) return false;
  return storableText(uid) === uid && [...uid].length <= MAX_UID;
}

/** The storable ids in order, at most 50. */
export function storableUids(uids: readonly string[]): string[] {
  return uids.filter(isStorableUid).slice(0, MAX_UIDS);
}
