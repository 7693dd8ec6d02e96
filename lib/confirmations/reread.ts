import { readingOf } from "@/lib/confirmations/inbox-row";
import type { InboxEvent } from "@/lib/confirmations/verdict";
import { AppError } from "@/lib/errors";
import type { OwnNames } from "@/lib/providers/adapter";
import { isProvider, PROVIDERS } from "@/lib/providers/registry";

/**
 * What the adapter of today reads in an event that is kept, as columns of its row; nothing, so that what was read when it
 * came stays, where its payload has been cut down, its provider is gone, or no event is in it.
 */
export function reread(
  { payload, headers }: Pick<InboxEvent, "payload" | "headers">,
  connection: { provider: string; ownNames: OwnNames | null } | null,
): Record<string, unknown> {
  if (!connection || !isProvider(connection.provider) || isCut(payload)) return {};
  const { provider, ownNames } = connection;
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  const delivery = { headers: new Headers(headers), rawBody: new TextEncoder().encode(text), ownNames };
  try {
    return readingOf(PROVIDERS[provider].adapter.read(delivery));
  } catch (error) {
    if (error instanceof AppError) return {};
    throw error;
  }
}

/** Payloads are cut to an empty object once they are older than the app keeps them. */
const isCut = (payload: unknown): boolean =>
  typeof payload === "object" && payload !== null && Object.keys(payload).length === 0;
