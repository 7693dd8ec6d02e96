import { storableUids } from "@/lib/confirmations/storable";
import type { InboxEvent } from "@/lib/confirmations/verdict";
import { AppError } from "@/lib/errors";
import type { Confirmation } from "@/lib/providers/adapter";
import { isProvider, PROVIDERS } from "@/lib/providers/registry";

export interface Reading {
  uids: string[];
  confirmation: Confirmation | Record<string, unknown>;
}

/**
 * What the adapter of today reads in an event that is kept; what was read when it came, where its payload has been cut
 * down or its provider is gone.
 */
export function reread(event: InboxEvent, provider: string | null): Reading {
  const stored = { uids: event.uids, confirmation: event.confirmation };
  if (provider === null || !isProvider(provider)) return stored;
  const rawBody = new TextEncoder().encode(JSON.stringify(event.payload));
  const nothing = { headers: new Headers(), secret: "", signingSecret: null, now: 0 };
  try {
    const { uids, confirmation } = PROVIDERS[provider].adapter.read({ ...nothing, rawBody });
    return { uids: storableUids(uids), confirmation };
  } catch (error) {
    if (error instanceof AppError) return stored;
    throw error;
  }
}
