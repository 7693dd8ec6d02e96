import { createHash } from "node:crypto";

/** Below this depth nothing is kept: PostgreSQL reads nested `jsonb` on its stack and refuses what is too deep. */
const MAX_DEPTH = 64;
const MAX_UIDS = 50;
const MAX_UID = 255;
const MAX_EVENT_ID = 255;
const MAX_TYPE = 100;

/** Text as PostgreSQL can hold it: it has no NUL, and UTF-8 has no lone surrogates. */
function storableText(text: string): string {
  return text.replaceAll("\0", "\u{FFFD}").toWellFormed();
}

/** Parsed JSON as `jsonb` can hold it. What has to change is replaced, not refused: the event must not be lost. */
export function storableJson(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return storableText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => storableJson(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [storableText(key), storableJson(item, depth + 1)]),
  );
}

/** The event's id, as its hash where it is too long for an index entry (2,700 bytes) or no storable text. */
export function storableEventId(id: string): string {
  if (id.length <= MAX_EVENT_ID && storableText(id) === id) return id;
  // Escaped as JSON, so that two ids which differ only in a lone surrogate stay two.
  return `sha256:${createHash("sha256").update(JSON.stringify(id)).digest("hex")}`;
}

/** The event's type as text that can be stored, cut after 100 characters. */
export function storableType(type: string): string {
  return storableText(type).slice(0, MAX_TYPE).toWellFormed();
}

/** Whether a referee of this id can exist: 1 to 255 code points without NUL or lone surrogates, as the API demands. */
export function isStorableUid(uid: string): boolean {
  if (uid === "" || uid.length > MAX_UID * 2) return false;
  return storableText(uid) === uid && [...uid].length <= MAX_UID;
}

/** The ids worth looking up, in order and at most 50. */
export function storableUids(uids: readonly string[]): string[] {
  return uids.filter(isStorableUid).slice(0, MAX_UIDS);
}
