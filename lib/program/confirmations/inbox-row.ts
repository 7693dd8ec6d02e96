import { createHash } from "node:crypto";
import { uuidv7 } from "uuidv7";
import {
  isStorableUid,
  storableEventId,
  storableJson,
  storableType,
  storableUids,
} from "@/lib/program/confirmations/storable";
import type { IdentityLink, ProviderEvent, Readable } from "@/lib/program/providers/common/adapter";

const MAX_LINKS = 100;

/** An event as the SQL functions take it: columns of `provider_events`. */
export type InboxRow = Record<string, unknown> & { id: string; connection_id: string };

/** An adapter's reading of an event, as columns of its row. */
export function readingOf(event: Omit<ProviderEvent, "eventId" | "payload">): Record<string, unknown> {
  const links = event.links.filter(({ from, to }) => from !== to && [from, to].every(isStorableUid));
  return {
    type: storableType(event.type),
    uids: storableUids(event.uids),
    confirmation: event.confirmation,
    occurred_at: storableTime(event.occurredAt),
    purchase_id: event.purchaseId ? storableEventId(event.purchaseId) : null,
    links: links.slice(0, MAX_LINKS),
  };
}

/** The row of an event and its delivery. */
export function inboxRow(connectionId: string, event: ProviderEvent, headers = new Headers()): InboxRow {
  return {
    ...readingOf(event),
    id: uuidv7(),
    connection_id: connectionId,
    event_id: storableEventId(event.eventId),
    headers: harmlessHeaders(headers),
    payload: storableJson(event.payload),
  };
}

/**
 * The row of a delivery without a readable event, with the reason that its sender received. Equal bytes share a
 * row.
 */
export function unreadableRow(
  connectionId: string,
  { headers, rawBody }: Readable,
  failure: string,
): InboxRow {
  const digest = createHash("sha256").update(rawBody).digest("hex");
  return {
    id: uuidv7(),
    connection_id: connectionId,
    event_id: `unreadable:${digest}`,
    type: "unreadable",
    uids: [],
    confirmation: {},
    links: [],
    verdict: "unreadable",
    failure,
    headers: harmlessHeaders(headers),
    payload: storableJson(bodyOf(rawBody)),
  };
}

/** An object or a list as JSON, any other body as its text. */
function bodyOf(rawBody: Uint8Array): unknown {
  const text = new TextDecoder().decode(rawBody);
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : text;
  } catch {
    return text;
  }
}

/** Texts of a payload that may be ids: no delivery without a readable id names more people. */
const MAX_TEXTS = 1_000;

/** A JSON text, even one without an end: 256 KB of escaped quotation marks, each searched again, would take a minute. */
const JSON_TEXT = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*("?)/giu;

/** The ids that a row may name. If none was read, the texts of its payload, each taken whole, as in an erasure. */
export function uidsNamedBy({
  uids,
  links,
  payload,
}: InboxRow & { uids: string[]; links: IdentityLink[] }): string[] {
  const linked = links.flatMap(({ from, to }) => [from, to]);
  if (uids.length > 0) return [...uids, ...linked];
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  const found = [...text.matchAll(JSON_TEXT)].filter(([, end]) => end);
  const texts = new Set(found.map(([quoted]): string => JSON.parse(quoted)));
  return [...linked, ...[...texts].filter(isStorableUid).slice(0, MAX_TEXTS)];
}

/** The latest time that JavaScript and PostgreSQL both write with a year of four digits. */
const LATEST = Date.UTC(9999, 0);

function storableTime(at: number | null): string | null {
  return at !== null && at >= 0 && at < LATEST ? new Date(at).toISOString() : null;
}

/** Headers that are stored: none carries a proof, or names or locates a person. */
const HARMLESS = [
  "accept",
  "content-length",
  "content-type",
  "date",
  "svix-id",
  "svix-timestamp",
  "user-agent",
  "webhook-id",
  "webhook-timestamp",
  "x-purchasely-timestamp",
];

const MAX_VALUE = 200;

/** The headers to store with a delivery. An allow list, because providers add new proofs without notice. */
function harmlessHeaders(headers: Headers): Record<string, string> {
  const stored: Record<string, string> = {};
  for (const name of HARMLESS) {
    const value = headers.get(name);
    if (value !== null) stored[name] = value.slice(0, MAX_VALUE).replaceAll("\0", "").toWellFormed();
  }
  return stored;
}
