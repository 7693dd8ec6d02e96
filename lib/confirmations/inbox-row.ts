import { createHash } from "node:crypto";
import { uuidv7 } from "uuidv7";
import { harmlessHeaders } from "@/lib/confirmations/headers";
import {
  isStorableUid,
  storableEventId,
  storableJson,
  storableType,
  storableUids,
} from "@/lib/confirmations/storable";
import type { ProviderEvent, Readable } from "@/lib/providers/adapter";

const MAX_LINKS = 100;

/** An event as the SQL functions take it: columns of `provider_events`. */
export type InboxRow = Record<string, unknown> & { id: string; connection_id: string };

/** What was read in an event, as it is stored. */
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

/** An event with all that is kept of its delivery. */
export function inboxRow(connectionId: string, event: ProviderEvent, headers = new Headers()): InboxRow {
  return {
    ...readingOf(event),
    ...{ id: uuidv7(), connection_id: connectionId, event_id: storableEventId(event.eventId) },
    ...{ headers: harmlessHeaders(headers), payload: storableJson(event.payload) },
  };
}

/** A delivery in which no event could be read, for the reason that its sender was given. The same bytes are one row. */
export function unreadableRow(
  connectionId: string,
  { headers, rawBody }: Readable,
  failure: string,
): InboxRow {
  const digest = createHash("sha256").update(rawBody).digest("hex");
  return {
    ...{ id: uuidv7(), connection_id: connectionId, event_id: `unreadable:${digest}`, type: "unreadable" },
    ...{ uids: [], confirmation: {}, links: [], verdict: "unreadable", failure },
    ...{ headers: harmlessHeaders(headers), payload: storableJson(bodyOf(rawBody)) },
  };
}

/** JSON where it is an object or a list; any other body as its text. */
function bodyOf(rawBody: Uint8Array): unknown {
  const text = new TextDecoder().decode(rawBody);
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : text;
  } catch {
    return text;
  }
}

/** The latest moment that JavaScript and PostgreSQL both hold and write with four digits of a year. */
const LATEST = Date.UTC(9999, 0);

function storableTime(at: number | null): string | null {
  return at !== null && at >= 0 && at < LATEST ? new Date(at).toISOString() : null;
}
