import type { providerEvents } from "@/lib/db/schema";

/** A row of the inbox. */
export type InboxEvent = typeof providerEvents.$inferSelect;

/** What became of an event. */
export type Verdict = InboxEvent["verdict"];

/** What the SQL functions answer. */
export interface VerdictRow {
  verdict: Verdict | "duplicate" | "not_found";
  referral_id?: string | null;
}
