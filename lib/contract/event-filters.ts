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

/** The same of the inbox: what is unmatched, or what was dismissed. */
export const inboxFilters = z.object({
  show: z.enum(["dismissed"]).optional().catch(undefined),
  cursor: listCursor,
  event: z.uuid().optional().catch(undefined),
  /** The beginning of a user id that the opened event is to be linked to. */
  uid: z.string().max(255).optional().catch(undefined),
});
