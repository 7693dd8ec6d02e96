import { z } from "zod";
import { listCursor } from "./cursor";
import { VERDICTS } from "./provider";

/** What of a connection's log is wanted, as it stands in the address bar; nonsense counts as absent. */
export const eventFilters = z.object({
  verdict: z.enum(VERDICTS).optional().catch(undefined),
  cursor: listCursor,
  /** The event that is opened. */
  event: z.uuid().optional().catch(undefined),
});

/** What else than the unmatched events the room of them shows. */
export const INBOX_SHOWS = ["sandbox", "failed", "unreadable", "dismissed"] as const;

/** The same of the inbox: what is unmatched, or one of {@link INBOX_SHOWS}. */
export const inboxFilters = z.object({
  show: z.enum(INBOX_SHOWS).optional().catch(undefined),
  cursor: listCursor,
  event: z.uuid().optional().catch(undefined),
  /** The beginning of a user id that the opened event is to be linked to. */
  uid: z.string().max(255).optional().catch(undefined),
});
